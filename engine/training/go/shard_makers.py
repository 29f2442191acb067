"""Processes that make the shards of a run ahead of its draws, while the run's own process learns.

A GPU learns faster than one process can also play quick games: a game's moves wait for each other.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from concurrent.futures import Future
from pathlib import Path
from typing import Self

from engine.training.go.shards import OPEN, Shards
from engine.util.process_pool import ProcessPool

AHEAD = 3  # shards of a source made beyond those it is drawn from
POLL_SECONDS = 0.05

# Returns the shards of all sources of a run with those batches drawn.
Sources = Callable[[], Sequence[Shards]]


class ShardMakers:
    """The processes, as a context; they end with it. For the main thread.

    `sources` is called in each process and has to be a function that a process can receive.
    `drawn` has the batches that the run has drawn from each source; none of a new run.
    """

    def __init__(self, sources: Sources, drawn: Sequence[int], processes: int) -> None:
        self._pool = ProcessPool(processes, _ready, ())
        self._parts = [(sources, list(drawn), (index, processes)) for index in range(processes)]
        self._work: list[Future[None]] = []  # without an end, one of each process

    def wait(self, path: Path) -> None:
        """Returns when the shard's file is there; raises RuntimeError if a process has ended."""
        while not path.exists():
            ended = [part for part in self._work if part.done()]
            if ended:
                raise RuntimeError(f"no process makes {path} any more") from ended[0].exception()
            time.sleep(POLL_SECONDS)

    def __enter__(self) -> Self:
        self._pool.__enter__()
        self._work = [self._pool.submit(_make, *part) for part in self._parts]
        return self

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        # At once: a shard under way is lost, and its file is not there yet.
        self._pool.__exit__(kind or GeneratorExit)


def make_shards(
    shards: Sequence[Shards],
    drawn: Sequence[int],
    part: tuple[int, int],
    is_over: Callable[[], bool],
) -> None:
    """Makes shards until `is_over`, of each source in order: those of a part (index, parts).

    A source waits with AHEAD shards beyond those it is drawn from; the others go on.
    """
    index, parts = part
    firsts = [each.open_after(count).start for each, count in zip(shards, drawn, strict=True)]
    # A source's shards go to the parts in turn, and the sources begin with different parts.
    numbers = [first + (index - first - at) % parts for at, first in enumerate(firsts)]
    while not is_over():
        is_idle = True
        for at, each in enumerate(shards):
            if each.path(numbers[at] - OPEN - AHEAD + 1).exists() or is_over():
                continue
            each.write(numbers[at])
            numbers[at] += parts
            is_idle = False
        if is_idle:
            time.sleep(POLL_SECONDS)


def _ready() -> None:
    """Does nothing: the work has its own sources."""


def _make(sources: Sources, drawn: list[int], part: tuple[int, int]) -> None:
    shards = sources()
    make_shards(shards, drawn or [0] * len(shards), part, lambda: False)
