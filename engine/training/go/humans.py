"""Positions of human games and the move played in each, drawn at random from a table of games.

Replays the games in the core. What is drawn depends on the random generator that is handed in and
on nothing else. A record that cannot be played ends where it fails, and others are drawn for what
it leaves wanting.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from engine._core import GoPosition, GoRules
from engine.training.go.positions import PositionRows
from engine.training.go.records import (
    IMITATED,
    MOVE_BITS,
    SET_UP,
    SIZE,
    WHITE,
    GameTable,
    RecordedGame,
)

# Strong players play much the same under area rules, for which there are few records: games may be
# shown as if they had been played so. A point of komi is what the rules themselves give White.
AREA_RULES = GoRules(ko="SIMPLE", scoring="AREA", tax="NONE", suicide=False, friendly_pass=True)
AREA_KOMI = 1.0  # added
TRIES = 10  # games drawn for each one that is wanted, at most


@dataclass(frozen=True)
class HumanMoves:
    """Positions of human games and the move played in each."""

    rows: PositionRows
    moves: Tensor  # int64 [n]

    def __len__(self) -> int:
        return len(self.moves)

    def to(self, device: torch.device) -> HumanMoves:
        """The same on `device`."""
        return HumanMoves(self.rows.to(device), self.moves.to(device))


class HumanPosition(NamedTuple):
    """A position of a game: its features and the move played."""

    planes: NDArray[np.uint8]
    globals: NDArray[np.float32]
    legal: NDArray[np.uint8]
    move: int


def draw_moves(
    table: GameTable, rows: int, rng: np.random.Generator, *, a_game: int, area_share: float
) -> HumanMoves:
    """`rows` positions, up to `a_game` of each of the games drawn, all by imitated players.

    `area_share` of the games are shown under area rules. ValueError where so many games in a row
    have nothing to show that the table must be a useless one.
    """
    found: list[HumanPosition] = []
    for _ in range(TRIES * rows):
        game = table.game(int(rng.integers(len(table))))
        wanted = _imitated(game)
        if rng.random() < area_share:
            game = game._replace(rules=AREA_RULES, komi=game.komi + AREA_KOMI)
        asked = rng.choice(wanted, min(a_game, len(wanted)), replace=False)
        found += watch(game, {int(number) for number in asked})
        if len(found) >= rows:
            return gathered(found[:rows])
    raise ValueError(f"of {TRIES * rows} games drawn, hardly any can be played")


def watch(game: RecordedGame, asked: set[int]) -> Iterator[HumanPosition]:
    """The positions before the game's numbers `asked` as far as the record can be played."""
    position = GoPosition(SIZE, SIZE, game.rules, game.komi)
    stones = [_stone(number) for number in game.numbers.tolist() if number & SET_UP]
    try:
        if stones:
            position.setup(stones, _stone(int(game.numbers[len(stones)]))[0])
        for index, number in enumerate(game.numbers[: max(asked, default=-1) + 1].tolist()):
            if number & SET_UP:
                continue
            color, move = _stone(number)
            if index in asked and color == position.to_move and not position.is_over:
                yield HumanPosition(*position.features(), position.legal_mask(), move)
            position.play(move, color, tolerant=True)
    except ValueError:
        return


def gathered(seen: list[HumanPosition]) -> HumanMoves:
    """The positions as rows, in main memory."""
    parts = [torch.from_numpy(np.stack(part)) for part in list(zip(*seen, strict=True))[:3]]
    return HumanMoves(PositionRows(*parts), torch.tensor([one.move for one in seen]))


def _imitated(game: RecordedGame) -> NDArray[np.int64]:
    return np.flatnonzero(game.numbers & IMITATED)


def _stone(number: int) -> tuple[int, int]:
    """(color, move)."""
    return int(number & WHITE > 0), number & MOVE_BITS
