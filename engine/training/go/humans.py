"""Positions of human games with the played moves, drawn at random from a table of games.

The core replays the games. The draw depends on the random generator alone. An unplayable record
ends at its fault, and other games make up for it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
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

# Strong players play much the same under area rules, but few records have them: some games are
# shown under area rules. These rules themselves give White one more point of komi.
AREA_RULES = GoRules(ko="SIMPLE", scoring="AREA", tax="NONE", suicide=False, friendly_pass=True)
AREA_KOMI = 1.0  # added
TRIES = 10  # games drawn for each wanted one, at most


@dataclass(frozen=True)
class HumanMoves:
    """Positions of human games and the move played in each."""

    rows: PositionRows
    moves: Tensor  # int64 [n]

    def __len__(self) -> int:
        return len(self.moves)

    def to(self, device: torch.device) -> HumanMoves:
        """Returns the moves on `device`."""
        return HumanMoves(self.rows.to(device), self.moves.to(device))

    def at(self, places: Tensor | slice) -> HumanMoves:
        """Returns the moves at some places, by a mask [n] or a slice."""
        return HumanMoves(self.rows.at(places), self.moves[places])


class HumanPosition(NamedTuple):
    """A position of a game: its features and the move played."""

    planes: NDArray[np.uint8]
    globals: NDArray[np.float32]
    legal: NDArray[np.uint8]
    move: int


def draw_moves(
    table: GameTable, rows: int, rng: np.random.Generator, *, a_game: int, area_share: float
) -> HumanMoves:
    """Returns `rows` positions, up to `a_game` of each drawn game, all by imitated players.

    `area_share` of the games are shown under area rules. Raises ValueError if hardly any of many
    drawn games can be played.
    """
    drawn: list[HumanPosition] = []
    for _ in range(TRIES * rows):
        game = table.game(int(rng.integers(len(table))))
        wanted = _imitated(game)
        if rng.random() < area_share:
            game = game._replace(rules=AREA_RULES, komi=game.komi + AREA_KOMI)
        indices = rng.choice(wanted, min(a_game, len(wanted)), replace=False)
        drawn += positions_before(game, {int(number) for number in indices})
        if len(drawn) >= rows:
            return stacked(drawn[:rows])
    raise ValueError(f"of {TRIES * rows} games drawn, hardly any can be played")


def positions_before(game: RecordedGame, indices: set[int]) -> Iterator[HumanPosition]:
    """Yields the positions before the numbers `indices`, as far as the record can be played."""
    position = GoPosition(SIZE, SIZE, game.rules, game.komi)
    stones = [_stone(number) for number in game.numbers.tolist() if number & SET_UP]
    try:
        if stones:
            position.setup(stones, _stone(int(game.numbers[len(stones)]))[0])
        for index, number in enumerate(game.numbers[: max(indices, default=-1) + 1].tolist()):
            if number & SET_UP:
                continue
            color, move = _stone(number)
            if index in indices and color == position.to_move and not position.is_over:
                yield HumanPosition(*position.features(), position.legal_mask(), move)
            position.play(move, color, tolerant=True)
    except ValueError:
        return


def stacked(positions: list[HumanPosition]) -> HumanMoves:
    """Returns the positions as rows, in main memory."""
    parts = [torch.from_numpy(np.stack(part)) for part in list(zip(*positions, strict=True))[:3]]
    return HumanMoves(PositionRows(*parts), torch.tensor([one.move for one in positions]))


def joined_moves(moves: Sequence[HumanMoves]) -> HumanMoves:
    """Returns all these moves as one."""
    rows = PositionRows(*map(torch.cat, zip(*(each.rows for each in moves), strict=True)))
    return HumanMoves(rows, torch.cat([each.moves for each in moves]))


def _imitated(game: RecordedGame) -> NDArray[np.int64]:
    return np.flatnonzero(game.numbers & IMITATED)


def _stone(number: int) -> tuple[int, int]:
    """Returns (color, move)."""
    return int(number & WHITE > 0), number & MOVE_BITS
