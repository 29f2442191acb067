"""What every caller may ask of a position, whatever the game; the core's classes satisfy it.

Colors are 0, who moves first, and 1. A cell is y * width + x from the top left; what a move is, the
game says (engine/games/table.py).
"""

from __future__ import annotations

from typing import Protocol, Self, TypeVar

import numpy as np
from numpy.typing import NDArray


class Position(Protocol):
    """A game so far, as much of it as the rules and the networks need."""

    @property
    def width(self) -> int:
        """Cells of a row."""

    @property
    def height(self) -> int:
        """Cells of a column."""

    @property
    def to_move(self) -> int:
        """The color whose turn it is."""

    @property
    def move_number(self) -> int:
        """Moves played since the start or the last setup, passes included."""

    @property
    def move_count(self) -> int:
        """Moves are 0..move_count - 1, as in a network's policy."""

    @property
    def pass_move(self) -> int:
        """The move that passes; -1 in a game without passing."""

    @property
    def symmetry_count(self) -> int:
        """Symmetries are 0..symmetry_count - 1; 0 changes nothing."""

    @property
    def is_over(self) -> bool:
        """Whether the game has ended."""

    @property
    def winner(self) -> int:
        """0 or 1 in a game that was won; -1 when drawn, without result or not over."""

    @property
    def black_score(self) -> float:
        """By how much color 0 leads, as the game counts; once it is over, its result."""

    @property
    def stones(self) -> NDArray[np.uint8]:
        """[height, width]: 0 empty, 1 color 0, 2 color 1."""

    @property
    def hash(self) -> int:
        """Equal where the same stones stand on the board."""

    @property
    def graph_hash(self) -> int:
        """Equal only for positions that a search may treat as one."""

    @property
    def network_hash(self) -> int:
        """Equal only for positions of which a network sees the same."""

    def copy(self) -> Self:
        """The same position, on its own from now on."""

    def is_legal(self, move: int, color: int | None = None, *, tolerant: bool = False) -> bool:
        """Whether the color, by default to_move, may play the move; tolerant as Go has it."""

    def play(self, move: int, color: int | None = None, *, tolerant: bool = False) -> None:
        """Play the move, out of turn too; ValueError quotes an illegal one."""

    def legal_mask(self) -> NDArray[np.uint8]:
        """[move_count], 1 where to_move may play."""

    def legal_moves(self) -> list[int]:
        """The moves that to_move may play, in rising order."""

    def setup(self, stones: list[tuple[int, int]], to_move: int = 0) -> None:
        """Replace the board by (color, cell)s; ValueError, nothing changed, if it can't be."""

    def is_same(self, other: Self, /) -> bool:
        """Whether the two are one position to a search."""

    def features(self, symmetry: int = 0) -> tuple[NDArray[np.uint8], NDArray[np.float32]]:
        """([planes, height, width], [globals]) as a network sees it, turned by the symmetry."""


def placed_stones(position: Position) -> list[tuple[int, int]]:
    """The stones on the board as (color, cell), in the order of the cells."""
    return [(int(stone) - 1, cell) for cell, stone in enumerate(position.stones.flat) if stone]


def phase_of(position: Position) -> float:
    """Returns the phase of the game: the filled share of the board, 0..1."""
    return float(np.count_nonzero(position.stones) / position.stones.size)


P = TypeVar("P", bound=Position)
