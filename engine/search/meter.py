"""The work of all searches on one network, as numbers that only grow."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from dataclasses import dataclass, field

LARGEST_BATCH = 8  # power of two; larger batches count in the last class


@dataclass(frozen=True)
class Work:
    """The work up to one moment."""

    playouts: int = 0
    evaluations: int = 0
    batches: tuple[int, ...] = (0,) * (LARGEST_BATCH + 1)  # [power]: of up to 2**power rows
    wait_seconds: float = 0.0  # of searching threads for the network, or for a core
    processor_seconds: float = 0.0  # of the core's searches, with their evaluations


@dataclass(eq=False)
class SearchMeter:
    """Counts the work of searches; safe to use from several threads.

    totals: meters that count the same work too, of a client, a network and all networks.
    """

    totals: tuple[SearchMeter, ...] = ()
    _playouts: int = 0
    _evaluations: int = 0
    _batches: list[int] = field(default_factory=lambda: [0] * (LARGEST_BATCH + 1))
    _wait_seconds: float = 0.0
    _processor_seconds: float = 0.0
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def count(self, rows: int, playouts: int, wait_seconds: float) -> None:
        """Counts one batch: its rows, the playouts since the last one, the wait for it."""
        self.count_batches([0] * rows + [1], playouts, wait_seconds)

    def count_batches(
        self,
        batches: Sequence[int],
        playouts: int,
        wait_seconds: float,
        processor_seconds: float = 0.0,
    ) -> None:
        """Counts some batches, by their rows from 0 on, and the playouts and the times of them."""
        with self._lock:
            self._playouts += playouts
            self._wait_seconds += wait_seconds
            self._processor_seconds += processor_seconds
            for rows, number in enumerate(batches):
                self._evaluations += rows * number
                self._batches[min(max(rows - 1, 0).bit_length(), LARGEST_BATCH)] += number
        for total in self.totals:
            total.count_batches(batches, playouts, wait_seconds, processor_seconds)

    def work(self) -> Work:
        """Returns the work until now."""
        with self._lock:
            return Work(
                self._playouts,
                self._evaluations,
                tuple(self._batches),
                self._wait_seconds,
                self._processor_seconds,
            )
