"""Training positions: quick games on every board size, advanced in the core.

BOARDS has the share of each size, QuickGoGames the rows' place in memory. The evaluator of the rows
returns policies for the moves.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import torch
from torch import Tensor

from engine._core import GoGameBatch
from engine.games.evaluator import GAME_INPUTS


@dataclass(frozen=True)
class BoardShare:
    """A board size and its share of learning."""

    width: int
    height: int
    share: float  # of all batches, before scaling to 1

    @property
    def area(self) -> int:
        """Points of the board."""
        return self.width * self.height

    @property
    def name(self) -> str:
        """Width, then height, such as "13x9"."""
        return f"{self.width}x{self.height}"


# People's usual sizes have the largest shares; rectangles keep the network from a dependence on
# equal sides.
BOARDS = (
    BoardShare(19, 19, 0.32),
    BoardShare(13, 13, 0.15),
    BoardShare(9, 9, 0.17),
    BoardShare(7, 7, 0.04),
    BoardShare(8, 8, 0.03),
    BoardShare(10, 10, 0.03),
    BoardShare(11, 11, 0.04),
    BoardShare(12, 12, 0.03),
    BoardShare(14, 14, 0.03),
    BoardShare(15, 15, 0.03),
    BoardShare(16, 16, 0.03),
    BoardShare(17, 17, 0.03),
    BoardShare(18, 18, 0.03),
    BoardShare(9, 13, 0.01),
    BoardShare(19, 13, 0.01),
    BoardShare(11, 7, 0.01),
    BoardShare(8, 17, 0.01),
)


class PositionRows(NamedTuple):
    """A network's inputs for n positions."""

    planes: Tensor  # uint8 [n, 22, H, W]
    globals: Tensor  # float32 [n, 19]
    legal: Tensor  # uint8 [n, H*W+1]: 1 for the side to move's legal moves

    def to(self, device: torch.device) -> PositionRows:
        """Returns the rows on `device`; copies may still be in progress."""
        return PositionRows(*(part.to(device, non_blocking=True) for part in self))

    def at(self, places: Tensor | slice) -> PositionRows:
        """Returns the rows at some places, by a mask [n] or a slice."""
        return PositionRows(*(part[places] for part in self))


class QuickGoGames:
    """Quick games on one board size; the rows of their positions are refilled in place."""

    def __init__(
        self, board: BoardShare, games: int, *, seed: int, threads: int, pinned: bool
    ) -> None:
        self.board = board
        planes, globals_ = GAME_INPUTS["go"]
        self.pool = GoGameBatch(board.width, board.height, games=games, seed=seed, threads=threads)
        self.rows = PositionRows(
            torch.zeros(
                games, planes, board.height, board.width, dtype=torch.uint8, pin_memory=pinned
            ),
            torch.zeros(games, globals_, pin_memory=pinned),
            torch.zeros(games, board.area + 1, dtype=torch.uint8, pin_memory=pinned),
        )
        self._fill()

    def advance(self, logits: Tensor, score_lead: Tensor) -> None:
        """Plays a move in each game and refills the rows.

        `logits` float32 [games, H*W+1] are a policy for the rows, `score_lead` float32 [games] is
        the side to move's, in points; both in main memory.
        """
        self.pool.advance(logits.numpy(), score_lead.numpy())
        self._fill()

    def _fill(self) -> None:
        self.pool.fill(*(part.numpy() for part in self.rows))


def rows_for(board: BoardShare, cells: int) -> int:
    """Returns the number of boards with about `cells` points in all; a multiple of 8."""
    return max(8, round(cells / board.area / 8) * 8)


def board_chooser(boards: tuple[BoardShare, ...], seed: int) -> Callable[[], int]:
    """Returns a function for the index of the next board, drawn by the shares."""
    rng = np.random.default_rng(seed)
    shares = np.array([board.share for board in boards])
    shares /= shares.sum()
    return lambda: int(rng.choice(len(boards), p=shares))
