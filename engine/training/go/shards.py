"""Samples of quick games, shard after shard: each shard is some games from their beginning.

The teacher both plays and judges the games: a shard depends on the teacher, the seed and its number
alone, and not on the student. Shards in use lie in files: a resumed run finds them there, or writes
the same ones again.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from itertools import pairwise
from math import prod
from pathlib import Path
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from safetensors.numpy import load_file, save_file
from torch import Tensor

from engine.games.evaluator import GAME_INPUTS
from engine.training.go.positions import BoardShare, QuickGoGames
from engine.training.go.samples import LEAD, POINTS, GoSamples, Network, label, symmetries
from engine.util.atomic_file import atomic_write

FEWEST_GAMES = 4
LENGTH = 1.5  # moves a point of the board: an upper bound of most games
USES = 4  # mean number of draws of a position
PLANES, _ = GAME_INPUTS["go"]
OPEN = 2  # shards drawn from at a time

Arrays = dict[str, NDArray[Any]]


@dataclass(frozen=True)
class ShardSettings:
    """The common settings of a run's shards."""

    folder: Path
    seed: int
    cells: int  # points in a shard of each board in all; a board has its share
    turns: int  # symmetries of the teacher's mean
    threads: int
    device: torch.device


class Shards:
    """The shards of one board."""

    def __init__(
        self, board: BoardShare, rows: int, teacher: Network, settings: ShardSettings
    ) -> None:
        """rows: of a batch; the board's share decides the length of a shard."""
        self.board, self.rows, self.settings = board, rows, settings
        self._teacher = teacher
        self._open: dict[int, Arrays] = {}
        moves = round(LENGTH * board.area)
        wanted = settings.cells * board.share / board.area
        self._games = max(FEWEST_GAMES, round(wanted / moves))
        self._kept_share = min(1.0, wanted / (self._games * moves))
        self.batches = max(1, round(USES * wanted / rows))  # of a shard

    def draw(self, drawn: int, rng: np.random.Generator) -> GoSamples:
        """Returns a batch from the shards open after `drawn` batches, in main memory."""
        latest = drawn // self.batches
        numbers = range(max(0, latest - OPEN + 1), latest + 1)
        for old in self._open.keys() - set(numbers):
            del self._open[old]
            self._path(old).unlink(missing_ok=True)
        for number in numbers:
            if number not in self._open:
                self._open[number] = self._read_or_write(number)
        shards = [self._open[number] for number in numbers]
        counts = [len(shard["globals"]) for shard in shards]
        places = rng.integers(sum(counts), size=self.rows)
        return _samples_at(shards, counts, places, self.board)

    def _path(self, number: int) -> Path:
        return (
            self.settings.folder
            / f"{self.board.name}-seed{self.settings.seed}-{number:05}.safetensors"
        )

    def _read_or_write(self, number: int) -> Arrays:
        path = self._path(number)
        if path.exists():
            stored: Arrays = load_file(path)
            return stored
        shard = self._play(number)
        path.parent.mkdir(parents=True, exist_ok=True)
        with atomic_write(path) as unfinished:
            save_file(shard, unfinished)
        return shard

    def _play(self, number: int) -> Arrays:
        """Plays a shard's games; its positions come evenly from all their moves."""
        board, settings = self.board, self.settings
        rng = np.random.default_rng((settings.seed, board.width, board.height, number))
        games = QuickGoGames(
            board,
            self._games,
            seed=int(rng.integers(2**62)),
            threads=settings.threads,
            pinned=settings.device.type == "cuda",
        )
        pieces: list[Arrays] = []
        for _ in range(round(LENGTH * board.area)):
            turns = rng.permutation(symmetries(board.height, board.width))[
                : settings.turns
            ].tolist()
            samples, logits = label(self._teacher, games.rows.to(settings.device), turns)
            mask = torch.from_numpy(rng.random(self._games) < self._kept_share)
            pieces.append(_packed(samples, mask.to(settings.device)))
            games.advance(logits.cpu(), (samples.scores[:, LEAD] * POINTS).cpu())
        return {name: np.concatenate([piece[name] for piece in pieces]) for name in pieces[0]}


PACK: dict[str, Callable[[NDArray[np.uint8]], NDArray[np.uint8]]] = {
    "planes": lambda planes: np.packbits(
        planes.reshape(len(planes), prod(planes.shape[1:])), axis=1
    ),
    "legal": lambda legal: np.packbits(legal, axis=1),
}


def _packed(samples: GoSamples, mask: Tensor) -> Arrays:
    """Returns the masked positions in the file's form: bits for zeros and ones."""
    arrays = {name: part[mask].cpu().numpy() for name, part in samples._asdict().items()}
    return {name: PACK[name](part) if name in PACK else part for name, part in arrays.items()}


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
        for name in GoSamples._fields
    }
    shape = (len(places), PLANES, board.height, board.width)
    planes = np.unpackbits(parts["planes"], axis=1, count=PLANES * board.area)
    parts["planes"] = planes.reshape(shape)
    parts["legal"] = np.unpackbits(parts["legal"], axis=1, count=board.area + 1)
    return GoSamples(**{name: torch.from_numpy(part) for name, part in parts.items()})
