"""The players of self-play games: this process, or the workers of a Ray cluster.

A game depends on its number alone: any worker may play it, even twice. The caller passes numbers of
games, and a task to play some of them. On a cluster every machine has this version of Sparring;
processors with equal rounding play equal games.
"""

from __future__ import annotations

import logging
import os
import socket
import time
from collections import deque
from collections.abc import Callable
from importlib import import_module
from typing import Any, Protocol, TypeVar

from engine.errors import SettingError

T = TypeVar("T")
Tell = Callable[[int], None]  # receives the number of further finished games
Task = Callable[[range, Tell], T]  # plays the games of these numbers; can be pickled

PIECES_A_WORKER = 4  # a faster worker can take more of them
SMALLEST_PIECE = 8  # games; a network judges them side by side
RETRIES = 5  # of a piece after its worker's death
PATIENCE = 2.0  # times the mean of earlier pieces, until another worker gets the same piece
LOOK_SECONDS = 1.0  # between checks for late workers
CONNECT_SECONDS = 10.0
LOCAL_STORE_BYTES = 1 << 30  # for the results of a cluster on this machine


class Workers(Protocol):
    """A source of played games."""

    threads: int  # for a task

    def play(self, task: Task[T], games: range, tell: Tell) -> list[T]:
        """Returns the task's results for pieces of `games`, in the order of their numbers."""

    def close(self) -> None:
        """Ends everything started for the workers."""


class LocalWorkers:
    """This process."""

    def __init__(self, threads: int) -> None:
        self.threads = threads

    def play(self, task: Task[T], games: range, tell: Tell) -> list[T]:
        """Plays all games at once, as one piece."""
        return [task(games, tell)]

    def close(self) -> None:
        """Does nothing: nothing was started."""


class RayWorkers:
    """The processors of a Ray cluster, each with a piece of the games at a time.

    Ray repeats the piece of a dead worker. A late piece goes to an idle worker too, and the first
    result counts.
    """

    threads = 1

    def __init__(self, address: str) -> None:
        """Joins the cluster at `address` ("local": starts one here).

        Raises SettingError for a failure.
        """
        os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")
        ray: Any = import_module("ray")  # optional, and slow to import
        store = LOCAL_STORE_BYTES if address == "local" else None
        try:
            _knock(address)
            ray.init(
                address,
                include_dashboard=False,
                log_to_driver=False,
                logging_level=logging.WARNING,
                object_store_memory=store,
            )
        except OSError as error:
            raise SettingError(f"no Ray cluster at {address!r}: {_first_cause(error)}") from error
        self._ray = ray
        self._remote = ray.remote(num_cpus=1, max_retries=RETRIES)(_play)

    def play(self, task: Task[T], games: range, tell: Tell) -> list[T]:
        """Returns the results of any workers; raises the task's errors."""
        kept = self._ray.put(task)
        pieces = pieces_of(games, self.count)
        hand_out = HandOut(pieces, time.monotonic)
        running: dict[Any, range] = {}  # by Ray's reference to the result
        results: dict[range, T] = {}
        try:
            while len(results) < len(pieces):
                while len(running) < self.count and (piece := hand_out.next()) is not None:
                    running[self._remote.remote(kept, piece)] = piece
                for done in self._ray.wait(list(running), timeout=LOOK_SECONDS)[0]:
                    piece = running.pop(done)
                    results[piece] = self._ray.get(done)
                    hand_out.finish(piece)
                    tell(len(piece))
                    self._cancel(running, [piece])
        finally:
            self._cancel(running, pieces)
        return [results[piece] for piece in pieces]

    @property
    def count(self) -> int:
        """The present number of workers."""
        return max(1, int(self._ray.cluster_resources().get("CPU", 1)))

    def close(self) -> None:
        """Leaves the cluster, and ends one started here."""
        self._ray.shutdown()

    def _cancel(self, running: dict[Any, range], pieces: list[range]) -> None:
        """Cancels these pieces on every worker."""
        for reference in [held for held, piece in running.items() if piece in pieces]:
            self._ray.cancel(reference, force=True)
            del running[reference]


def workers_at(address: str | None, threads: int) -> Workers:
    """Returns the Ray cluster's workers at `address`; None: this process with `threads` threads."""
    return LocalWorkers(threads) if address is None else RayWorkers(address)


def pieces_of(games: range, workers: int) -> list[range]:
    """Returns the games in pieces for this number of workers."""
    size = max(SMALLEST_PIECE, -(-len(games) // (PIECES_A_WORKER * workers)))
    return [games[first : first + size] for first in range(0, len(games), size)]


def _knock(address: str) -> None:
    """Raises OSError without a listener at host:port; Ray itself would try for minutes."""
    host, _, port = address.removeprefix("ray://").rpartition(":")
    if host and port.isdecimal():
        socket.create_connection((host, int(port)), CONNECT_SECONDS).close()


def _first_cause(error: BaseException) -> str:
    """Returns the original error, hidden by Ray's own, such as a wrong token."""
    while (cause := error.__cause__ or error.__context__) is not None:
        error = cause
    return str(error).strip()


class HandOut:
    """Selects the next piece of an idle worker: a new one, else a late one of another worker."""

    def __init__(self, pieces: list[range], clock: Callable[[], float]) -> None:
        self._clock = clock
        self._waiting = deque(pieces)
        self._began: dict[range, float] = {}
        self._alone: dict[range, None] = {}  # pieces of one worker, the earliest first
        self._finished_after: list[float] = []  # seconds

    def next(self) -> range | None:
        """Begins a piece and returns it; None if every piece is in work."""
        now = self._clock()
        if self._waiting:
            piece = self._waiting.popleft()
            self._began[piece] = now
            self._alone[piece] = None
            return piece
        late = next(iter(self._alone), None)
        if late is None or not self._finished_after:
            return None
        usual = sum(self._finished_after) / len(self._finished_after)
        if now - self._began[late] <= PATIENCE * usual:
            return None
        del self._alone[late]
        return late

    def finish(self, piece: range) -> None:
        """Records the first result of a piece."""
        self._alone.pop(piece, None)
        self._finished_after.append(self._clock() - self._began[piece])


def _play(task: Task[T], games: range) -> T:
    """Runs the task on a worker."""
    return task(games, lambda _count: None)
