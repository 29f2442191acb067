"""The batches of a run by the step's number; a GPU learns one while the next is drawn."""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from typing import NamedTuple

import numpy as np
import torch

from engine.training.go.samples import NOBODY, GoSamples, symmetries
from engine.training.go.sources import Source


class Batch(NamedTuple):
    """A step's batch."""

    source: int  # its index
    samples: GoSamples  # in main memory, pinned for a GPU, or where the source makes them
    symmetry: int  # to turn them by
    has_moves: bool  # whether any position has a human move


class Batches:
    """Draws the batches of a run's steps from its sources.

    A batch depends on the seed, its step and the earlier draws of its source alone. `draws_ahead`:
    a thread draws the next one meanwhile.
    """

    def __init__(
        self, sources: Sequence[Source], seed: int, device: torch.device, *, draws_ahead: bool
    ) -> None:
        self._sources, self._seed = sources, seed
        shares = np.array([source.share for source in sources])
        self._shares = shares / shares.sum()
        self._is_gpu = device.type == "cuda"
        self._thread = ThreadPoolExecutor(1) if draws_ahead else None
        self._next: tuple[int, list[int], Future[Batch]] | None = None

    def at(self, step: int, drawn: list[int]) -> Batch:
        """Returns the batch of a step, after `drawn` earlier ones of each source."""
        if self._thread is None:
            return self._draw(step, drawn)
        if self._next is not None and self._next[:2] == (step, drawn):
            batch = self._next[2].result()
        else:
            batch = self._thread.submit(self._draw, step, drawn).result()
        after = [count + (index == batch.source) for index, count in enumerate(drawn)]
        self._next = step + 1, after, self._thread.submit(self._draw, step + 1, after)
        return batch

    def close(self) -> None:
        """Draws no more; a draw under way ends first."""
        if self._thread is not None:
            self._thread.shutdown(cancel_futures=True)

    def _draw(self, step: int, drawn: list[int]) -> Batch:
        rng = np.random.default_rng((self._seed, step))
        index = int(rng.choice(len(self._shares), p=self._shares))
        source = self._sources[index]
        samples = source.draw(drawn[index], rng)
        if self._is_gpu and not samples.planes.is_cuda:
            samples = GoSamples(*(part.pin_memory() for part in samples))
        board = source.board
        return Batch(
            source=index,
            samples=samples,
            symmetry=int(rng.integers(symmetries(board.height, board.width))),
            has_moves=bool((samples.human != NOBODY).any()),
        )
