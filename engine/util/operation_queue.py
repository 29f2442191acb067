"""A queue of operations on a slow resource, done in order by one thread.

The length of the queue and the wait of a caller are limited. An operation is any function.
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

PATIENCE_SECONDS = 0.05  # longest wait of one thread at once
PATIENCE_REGAINED = 0.25  # seconds of patience regained per second between waits
MOST_WAITING = 2048  # operations; one for a game's move takes about 10 kB
RETRY_SECONDS, SLOWEST_RETRY_SECONDS = 0.2, 10.0  # between attempts at a write, doubled each time
HANGING_SECONDS = 3.0  # a longer operation is logged as a warning
CLOSING_STEP_SECONDS = 0.02  # time between two checks of the thread while closing
WARNING_SECONDS = 60.0  # time between two warnings of one kind


@dataclass(eq=False)
class Operation(Generic[R, T]):
    """One operation on the resource."""

    act: Callable[[R], T]
    # Writes are tried until they succeed; other operations once, while a caller waits.
    is_write: bool = True
    on_lost: Callable[[], None] = lambda: None  # called if the operation is dropped
    since_seconds: float = 0.0  # time of the addition, by the queue's clock
    is_over: bool = False  # done or given up; it leaves the queue
    is_abandoned: bool = False  # no caller waits for the result any more
    _result: list[T] = field(default_factory=list)
    _pending: threading.Lock = field(default_factory=threading.Lock)

    def __post_init__(self) -> None:
        """Marks the operation as pending."""
        self._pending.acquire()

    @property
    def is_done(self) -> bool:
        """Whether there is a result."""
        return bool(self._result)

    @property
    def result(self) -> T:
        """The result; IndexError before the operation is done."""
        return self._result[0]

    def wait(self, seconds: float) -> bool:
        """Waits for the first attempt, so many seconds at most; returns whether it is done."""
        self._pending.acquire(timeout=max(seconds, 0.0))
        self.is_abandoned = not self.is_done
        return self.is_done

    def do(self, resource: R) -> None:
        """Acts on the resource. Exceptions of the act pass on."""
        self._result.append(self.act(resource))
        self.is_over = True

    def release(self) -> None:
        """Ends the caller's wait."""
        if self._pending.locked():
            self._pending.release()


class _Patience(threading.local):
    """The waiting time left to one thread."""

    seconds = PATIENCE_SECONDS
    at_seconds = 0.0  # time of the last update

    def left(self, now_seconds: float) -> float:
        """Returns the seconds left at this time."""
        regained = PATIENCE_REGAINED * (now_seconds - self.at_seconds)
        self.seconds = min(PATIENCE_SECONDS, self.seconds + regained)
        self.at_seconds = now_seconds
        return self.seconds

    def spend(self, now_seconds: float) -> None:
        """Takes off the time since the call of `left`."""
        self.seconds = max(0.0, self.seconds - (now_seconds - self.at_seconds))
        self.at_seconds = now_seconds


class OperationQueue(Generic[R]):
    """The waiting operations, in order. Safe to use from several threads.

    opening: makes the resource for the first operation. refusals: after these errors a write is
    tried again; after any other error the operation is lost. name: of the resource, for the log.
    on_empty: called by the queue's thread once the queue is empty, before the wait for the last
    operation ends. now: the clock, in seconds.
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
        self._refused = 0  # refused attempts in a row
        self._has_warned = False  # since the queue was last empty
        self._warned_seconds = -WARNING_SECONDS
        self._lost = 0
        self._patience = _Patience()

    def open(self) -> R:
        """Returns the resource; opens it in this thread if needed. Raises a refusal."""
        with self._opened:
            if self._resource is None:
                self._resource = self._opening()
            return self._resource

    def do(self, operation: Operation[R, T]) -> bool:
        """Adds an operation and waits a moment; returns whether it is done.

        An unfinished write stays in the queue and is done in its turn.
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
        """Adds an operation; returns whether there was room. always: adds it without room too."""
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
        """Has the queue's thread open the resource, and waits for it so many seconds at most."""
        opening: Operation[R, None] = Operation(lambda _: None, is_write=False)
        if self._resource is None and self.add(opening) and seconds > 0:
            opening.wait(seconds)

    @property
    def is_behind(self) -> bool:
        """Whether the first operation has waited longer than a caller would."""
        return self._oldest_seconds() > (0.0 if self._refused else PATIENCE_SECONDS)

    @property
    def is_empty(self) -> bool:
        """Whether no operation waits."""
        return not self._waiting

    def close(
        self, seconds: float, *, refused_seconds: float, fate: str = "they are lost"
    ) -> R | None:
        """Waits for the remaining operations and ends the thread.

        seconds: the longest wait; refused_seconds: the same while the resource refuses. Returns the
        resource if it is open and unused. Logs the number of writes left undone and their fate.
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

    # ---- In the queue's thread

    def _oldest_seconds(self) -> float:
        """Returns the waiting time of the first operation in seconds; -1 on an empty queue."""
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
        """Waits for and returns the first operation; None once the queue is closed and empty."""
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
        """Waits before the next attempt."""
        doubled = RETRY_SECONDS * 2.0 ** min(self._refused - 1, 10)
        until = time.monotonic() + min(doubled, SLOWEST_RETRY_SECONDS)
        with self._changed:
            while not self._is_closing and (left := until - time.monotonic()) > 0:
                self._changed.wait(left)
        if self._is_closing:
            time.sleep(RETRY_SECONDS / 10)

    # ---- Warnings

    def _warn(self, why: str) -> None:
        self._has_warned = True
        if self._now() - self._warned_seconds >= WARNING_SECONDS:
            self._warned_seconds = self._now()
            log.warning("%s is behind, and the game goes on without it: %s", self._name, why)

    def _lose(self, operation: Operation[R, T], why: str) -> None:
        if not self._lost:
            log.warning("%s is full, and new notes are lost: %s", self._name, why)
        self._lost += 1
        operation.on_lost()

    def _losses(self) -> str:
        lost, self._lost = self._lost, 0
        return f"; {lost} notes are lost" if lost else ""
