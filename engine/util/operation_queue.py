"""Operations on a slow resource, done one after the other by a thread of their own.

Knows their order, how long somebody waits for one, and how many may wait. Does not know what the
resource is, nor what an operation does.
"""

from __future__ import annotations

import logging
import threading
import time
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Generic, TypeVar

log = logging.getLogger("sparring")

R = TypeVar("R")
T = TypeVar("T")

PATIENCE_SECONDS = 0.05  # one thread waits so long at once
PATIENCE_REGAINED = 0.25  # of the time between waits
MOST_WAITING = 2048  # operations; one of a game's move takes about 10 kB
RETRY_SECONDS, SLOWEST_RETRY_SECONDS = 0.2, 10.0  # between attempts at a write, ever longer
HANGING_SECONDS = 3.0  # a warning tells of an operation that takes longer
CLOSING_STEP_SECONDS = 0.02  # between two looks at what is left
WARNING_SECONDS = 60.0  # between two warnings of one kind


@dataclass(eq=False)
class Operation(Generic[R, T]):
    """One thing to do with the resource."""

    act: Callable[[R], T]
    # Keeps something: it is tried until it succeeds. Others are tried once, while somebody waits.
    is_write: bool = True
    on_lost: Callable[[], None] = lambda: None  # called where the operation will never be done
    since_seconds: float = 0.0  # when it was added
    is_over: bool = False  # nothing more is done about it
    is_abandoned: bool = False  # nobody waits for the result any more
    _result: list[T] = field(default_factory=list)
    _pending: threading.Lock = field(default_factory=threading.Lock)

    def __post_init__(self) -> None:
        """Begins as pending."""
        self._pending.acquire()

    @property
    def is_done(self) -> bool:
        """Whether it has a result."""
        return bool(self._result)

    @property
    def result(self) -> T:
        """The result of an operation that is done."""
        return self._result[0]

    def wait(self, seconds: float) -> bool:
        """Waits until it was tried; returns whether it is done."""
        self._pending.acquire(timeout=max(seconds, 0.0))
        self.is_abandoned = not self.is_done
        return self.is_done

    def do(self, resource: R) -> None:
        """Does it. Raises whatever the act raises."""
        self._result.append(self.act(resource))
        self.is_over = True

    def release(self) -> None:
        """Ends the wait for it."""
        if self._pending.locked():
            self._pending.release()


class _Patience(threading.local):
    """The time that one thread may still wait."""

    seconds = PATIENCE_SECONDS
    at_seconds = 0.0  # when it was reckoned last

    def left(self, now_seconds: float) -> float:
        """Returns the seconds left now."""
        regained = PATIENCE_REGAINED * (now_seconds - self.at_seconds)
        self.seconds = min(PATIENCE_SECONDS, self.seconds + regained)
        self.at_seconds = now_seconds
        return self.seconds

    def spend(self, now_seconds: float) -> None:
        """Takes off the time since `left` was asked."""
        self.seconds = max(0.0, self.seconds - (now_seconds - self.at_seconds))
        self.at_seconds = now_seconds


class OperationQueue(Generic[R]):
    """The operations that wait, in order. Safe to use from several threads.

    opening: makes the resource when the first operation needs it. refusals: the errors after which
    a write is tried again; after any other the operation is lost. name: of the resource, for the
    log. on_empty: called by the queue's thread when no operation waits any more, before the wait
    for the last one ends.
    """

    def __init__(
        self,
        opening: Callable[[], R],
        *,
        name: str,
        refusals: tuple[type[Exception], ...],
        most_waiting: int = MOST_WAITING,
        on_empty: Callable[[], None] = lambda: None,
        now: Callable[[], float] = time.monotonic,
    ) -> None:
        self._opening = opening
        self._name = name
        self._refusals = refusals
        self._most_waiting = most_waiting
        self._on_empty = on_empty
        self._now = now
        self._resource: R | None = None
        self._waiting: deque[Operation[R, object]] = deque()
        self._changed = threading.Condition()
        self._opened = threading.Lock()
        self._thread: threading.Thread | None = None
        self._is_closing = False
        self._refused = 0  # attempts in a row
        self._has_warned = False  # since the queue was last empty
        self._warned_seconds = -WARNING_SECONDS
        self._lost = 0
        self._patience = _Patience()

    def open(self) -> R:
        """Returns the resource, opened by this thread where it is not open. Raises a refusal."""
        with self._opened:
            if self._resource is None:
                self._resource = self._opening()
            return self._resource

    def do(self, operation: Operation[R, T]) -> bool:
        """Adds an operation and waits a moment; returns whether it is done.

        A write that is not done is done later, after those before it.
        """
        began = self._now()
        if not self.add(operation):
            return False
        if self.is_behind:
            operation.is_abandoned = True
            if self._oldest_seconds() > HANGING_SECONDS:
                self._warn("it does not answer")
            return False
        patience = self._patience
        done = operation.wait(patience.left(began))
        patience.spend(self._now())
        return done

    def add(self, operation: Operation[R, T], *, always: bool = False) -> bool:
        """Adds an operation; returns whether there was room. always: even where there is none."""
        operation.since_seconds = self._now()
        with self._changed:
            has_room = always or len(self._waiting) < self._most_waiting
            if has_room and not self._is_closing:
                self._waiting.append(operation)  # type: ignore[arg-type]
                self._start()
                self._changed.notify()
                return True
        if operation.is_write:
            self._lose(operation, f"{self._most_waiting} notes wait already")
        return False

    def begin(self, seconds: float = 0.0) -> None:
        """Opens the resource soon, if it is not open, and waits so long for it."""
        opening: Operation[R, None] = Operation(lambda _: None, is_write=False)
        if self._resource is None and self.add(opening) and seconds > 0:
            opening.wait(seconds)

    @property
    def is_behind(self) -> bool:
        """Whether what was added some time ago is not done yet."""
        return self._oldest_seconds() > (0.0 if self._refused else PATIENCE_SECONDS)

    @property
    def is_empty(self) -> bool:
        """Whether no operation waits."""
        return not self._waiting

    def close(
        self, seconds: float, *, refused_seconds: float, fate: str = "they are lost"
    ) -> R | None:
        """Waits so long for what is left, and ends the thread.

        refused_seconds: waited where the resource refuses. Returns the resource where one is open
        and nobody uses it; says in the log what is left, and its fate.
        """
        began = time.monotonic()
        with self._changed:
            self._is_closing = True
            self._changed.notify_all()
        while self._thread is not None and self._thread.is_alive():
            if time.monotonic() - began > (refused_seconds if self._refused else seconds):
                break
            self._thread.join(CLOSING_STEP_SECONDS)
        with self._changed:
            left = [operation for operation in self._waiting if operation.is_write]
            self._waiting.clear()
            self._changed.notify_all()
        if left:
            log.warning("%s did not take %d last notes: %s", self._name, len(left), fate)
        is_used = self._thread is not None and self._thread.is_alive()
        return None if is_used else self._resource

    # ---- The thread's part

    def _oldest_seconds(self) -> float:
        """Returns how long the first operation has waited; -1 where none waits."""
        try:
            return self._now() - self._waiting[0].since_seconds
        except IndexError:
            return -1.0

    def _start(self) -> None:
        if self._thread is None:
            self._thread = threading.Thread(target=self._work, name=self._name, daemon=True)
            self._thread.start()

    def _work(self) -> None:
        while (operation := self._next()) is not None:
            if operation.is_write or not operation.is_abandoned:
                self._attempt(operation)
            else:
                operation.is_over = True
            with self._changed:
                if operation.is_over and self._waiting and self._waiting[0] is operation:
                    self._waiting.popleft()
                is_empty = not self._waiting
                is_caught_up = self._has_warned and is_empty and not self._refused
            if is_empty:
                self._on_empty()
            if is_caught_up:
                self._has_warned = False
                log.warning("%s has caught up%s", self._name, self._losses())
            operation.release()
            if not operation.is_over:
                self._pause()

    def _next(self) -> Operation[R, object] | None:
        """Returns the first operation; None: the queue is closed and nothing is left to do."""
        with self._changed:
            while not self._waiting:
                if self._is_closing:
                    return None
                self._changed.wait()
            return self._waiting[0]

    def _attempt(self, operation: Operation[R, object]) -> None:
        try:
            operation.do(self.open())
            self._refused = 0
        except self._refusals as error:
            self._refused += 1
            operation.is_over = not operation.is_write
            self._warn(str(error))
        except Exception:
            log.exception("%s: a note is lost", self._name)
            operation.is_over = True
            self._lost += 1
            operation.on_lost()

    def _pause(self) -> None:
        """Waits before another attempt."""
        doubled = RETRY_SECONDS * 2.0 ** min(self._refused - 1, 10)
        until = time.monotonic() + min(doubled, SLOWEST_RETRY_SECONDS)
        with self._changed:
            while not self._is_closing and (left := until - time.monotonic()) > 0:
                self._changed.wait(left)
        if self._is_closing:
            time.sleep(RETRY_SECONDS / 10)

    # ---- Saying so

    def _warn(self, why: str) -> None:
        self._has_warned = True
        if self._now() - self._warned_seconds >= WARNING_SECONDS:
            self._warned_seconds = self._now()
            log.warning("%s is behind, and the game goes on without it: %s", self._name, why)

    def _lose(self, operation: Operation[R, T], why: str) -> None:
        if not self._lost:
            log.warning("%s is full, and what is new is lost: %s", self._name, why)
        self._lost += 1
        operation.on_lost()

    def _losses(self) -> str:
        lost, self._lost = self._lost, 0
        return f"; {lost} notes are lost" if lost else ""
