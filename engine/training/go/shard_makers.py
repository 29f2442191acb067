"""Processes that make the shards of a run ahead of its draws, while the run's own process learns.

A GPU learns faster than one process can also play quick games: a game's moves wait for each other.
"""

from __future__ import annotations

import multiprocessing
import time
from collections.abc import Callable, Sequence
from multiprocessing.synchronize import Event
from pathlib import Path
from types import TracebackType
from typing import Self

from engine.training.go.shards import OPEN, Shards

AHEAD = 3  # shards of a source made beyond those it is drawn from
POLL_SECONDS = 0.05

# Returns the shards of all sources of a run with those batches drawn.
Sources = Callable[[], Sequence[Shards]]


class ShardMakers:
    """The processes, as a context; they end with it.

    `sources` is called in each process and has to be a function that a process can receive.
    `drawn` has the batches that the run has drawn from each source; none of a new run.
    """

    def __init__(self, sources: Sources, drawn: Sequence[int], processes: int) -> None:
        context = multiprocessing.get_context("spawn")  # a GPU's context survives no fork
        self._over = context.Event()
        self._processes = [
            context.Process(
                target=_make,
                args=(sources, list(drawn), index, processes, self._over),
                daemon=True,
            )
            for index in range(processes)
        ]

    def wait(self, path: Path) -> None:
        """Returns when the shard's file is there; raises RuntimeError if a process has ended."""
        while not path.exists():
            if self._over.is_set() or not all(each.is_alive() for each in self._processes):
                raise RuntimeError(f"no process makes {path} any more")
            time.sleep(POLL_SECONDS)

    def __enter__(self) -> Self:
        for process in self._processes:
            process.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._over.set()
        for process in self._processes:
            process.terminate()  # a shard under way is lost: its file is not there yet
            process.join()


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


def _make(
    sources: Sources,
    drawn: list[int],
    index: int,
    processes: int,
    over: Event,
) -> None:
    def is_over() -> bool:
        parent = multiprocessing.parent_process()
        return over.is_set() or parent is None or not parent.is_alive()

    shards = sources()
    make_shards(shards, drawn or [0] * len(shards), (index, processes), is_over)
