"""Samples in shards on disk, drawn at random: each position is drawn a mean number of times.

A teacher's judgement of a position costs more than a step of learning from it. A shard depends on
the teacher, the seed and its number alone, and not on the student. Shards in use lie in files: a
resumed run finds them there, or makes the same ones again.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from itertools import pairwise
from math import prod
from pathlib import Path
from typing import Any, Protocol

import numpy as np
import torch
from numpy.typing import NDArray
from safetensors.numpy import load_file, save_file
from torch import Tensor

from engine.games.evaluator import GAME_INPUTS
from engine.training.go.positions import BoardShare
from engine.training.go.samples import GoSamples
from engine.util.atomic_file import atomic_write

PLANES, _ = GAME_INPUTS["go"]
OPEN = 8  # shards drawn from at a time; a few games alone would be learned by heart
JUDGED_ROWS = 128  # positions that a teacher judges at a time

Arrays = dict[str, NDArray[Any]]


@dataclass(frozen=True)
class ShardSettings:
    """The common settings of a run's shards."""

    folder: Path
    seed: int
    cells: int  # points in a shard of all boards in all; a source has its share
    turns: int  # symmetries of the teacher's mean
    threads: int
    device: torch.device
    uses: float = 4.0  # mean number of draws of a position
    # Returns when another process has written the file; None: a draw makes the shard itself.
    wait: Callable[[Path], None] | None = None


class ShardMaker(Protocol):
    """One kind of shard."""

    name: str  # of the kind, in the names of its files
    board: BoardShare
    positions: float  # mean number of positions in a shard

    def make(self, number: int) -> Arrays:
        """Returns the shard of this number in the file's form."""
        ...


class Shards:
    """The shards of one kind."""

    def __init__(self, maker: ShardMaker, rows: int, settings: ShardSettings) -> None:
        """`rows` are those of a batch."""
        self.maker, self.rows, self.settings = maker, rows, settings
        self.batches = max(1, round(settings.uses * maker.positions / rows))  # of a shard
        self._open: dict[int, Arrays] = {}

    def draw(self, drawn: int, rng: np.random.Generator) -> GoSamples:
        """Returns a batch from the shards open after `drawn` batches, in main memory."""
        numbers = self.open_after(drawn)
        for old in self._open.keys() - set(numbers):
            del self._open[old]
            self.path(old).unlink(missing_ok=True)
        for number in numbers:
            if number not in self._open:
                self._open[number] = self._read_or_write(number)
        shards = [self._open[number] for number in numbers]
        counts = [len(shard["globals"]) for shard in shards]
        places = rng.integers(sum(counts), size=self.rows)
        return _samples_at(shards, counts, places, self.maker.board)

    def open_after(self, drawn: int) -> range:
        """Returns the numbers of the shards open after `drawn` batches."""
        latest = drawn // self.batches
        return range(max(0, latest - OPEN + 1), latest + 1)

    def write(self, number: int) -> None:
        """Makes the shard and writes its file, if there is none."""
        path = self.path(number)
        if path.exists():
            return
        shard = self.maker.make(number)
        path.parent.mkdir(parents=True, exist_ok=True)
        with atomic_write(path) as unfinished:
            save_file(shard, unfinished)

    def path(self, number: int) -> Path:
        """Returns the path of the shard's file."""
        name = f"{self.maker.name}-seed{self.settings.seed}-{number:05}.safetensors"
        return self.settings.folder / name

    def _read_or_write(self, number: int) -> Arrays:
        if self.settings.wait is None:
            self.write(number)
        else:
            self.settings.wait(self.path(number))
        stored: Arrays = load_file(self.path(number))
        return stored


PACK: dict[str, Callable[[NDArray[np.uint8]], NDArray[np.uint8]]] = {
    "planes": lambda planes: np.packbits(
        planes.reshape(len(planes), prod(planes.shape[1:])), axis=1
    ),
    "legal": lambda legal: np.packbits(legal, axis=1),
}


def packed(samples: GoSamples, mask: Tensor) -> Arrays:
    """Returns the positions with a mask [n] of 1 in the file's form: bits for zeros and ones."""
    arrays = {name: part[mask].cpu().numpy() for name, part in samples._asdict().items()}
    return {name: PACK[name](part) if name in PACK else part for name, part in arrays.items()}


def joined(pieces: list[Arrays]) -> Arrays:
    """Returns the positions of all pieces in the file's form."""
    return {name: np.concatenate([piece[name] for piece in pieces]) for name in pieces[0]}


def _samples_at(
    shards: list[Arrays], counts: list[int], places: NDArray[np.int64], board: BoardShare
) -> GoSamples:
    """Returns the positions at these places of the concatenated shards."""
    bounds = np.cumsum([0, *counts])
    inside = [
        places[(places >= first) & (places < last)] - first for first, last in pairwise(bounds)
    ]
    parts = {
        name: np.concatenate(
            [shard[name][chosen] for shard, chosen in zip(shards, inside, strict=True)]
        )
        for name in shards[0]
    }
    shape = (len(places), PLANES, board.height, board.width)
    planes = np.unpackbits(parts["planes"], axis=1, count=PLANES * board.area)
    parts["planes"] = planes.reshape(shape)
    parts["legal"] = np.unpackbits(parts["legal"], axis=1, count=board.area + 1)
    # Shards of an earlier release have no ranks.
    parts.setdefault("ranks", np.zeros((len(places), 2), np.float32))
    return GoSamples(**{name: torch.from_numpy(part) for name, part in parts.items()})
