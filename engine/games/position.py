"""The interface of a position in any game; the core's classes satisfy it.

Colors are 0, the first to move, and 1. A cell is y * width + x from the top left. The meaning of a
move depends on the game (engine/games/table.py).
"""

from __future__ import annotations

from typing import Protocol, Self, TypeVar, runtime_checkable

import numpy as np
from numpy.typing import NDArray


class Position(Protocol):
    """A position, with as much of the game's history as the rules and the networks need."""

    @property
    def width(self) -> int:
        """Columns of the board."""

    @property
    def height(self) -> int:
        """Rows of the board."""

    @property
    def to_move(self) -> int:
        """The color to move."""

    @property
    def move_number(self) -> int:
        """Moves played since the start or the last setup, passes included."""

    @property
    def move_count(self) -> int:
        """Moves are 0..move_count - 1, as in a network's policy."""

    @property
    def pass_move(self) -> int:
        """The pass as a move; -1 in a game without passing."""

    @property
    def symmetry_count(self) -> int:
        """Symmetries are 0..symmetry_count - 1; 0 changes nothing."""

    @property
    def is_over(self) -> bool:
        """Whether the game has ended."""

    @property
    def winner(self) -> int:
        """The winning color; -1 if drawn, without result or not over."""

    @property
    def black_score(self) -> float:
        """Color 0's lead in the game's points; after the end the result."""

    @property
    def stones(self) -> NDArray[np.uint8]:
        """[height, width] uint8: 0 empty, 1 color 0, 2 color 1."""

    @property
    def hash(self) -> int:
        """A hash of the stones on the board."""

    @property
    def graph_hash(self) -> int:
        """A hash, equal only for positions of one node in a search graph."""

    @property
    def network_hash(self) -> int:
        """A hash, equal only for positions with the same network inputs."""

    def copy(self) -> Self:
        """Returns an independent copy."""

    def is_legal(self, move: int, color: int | None = None, *, tolerant: bool = False) -> bool:
        """Whether the color, by default to_move, may play the move.

        tolerant: in Go, allows retaking a ko and suicide of several stones, as in records.
        """

    def play(self, move: int, color: int | None = None, *, tolerant: bool = False) -> None:
        """Plays the move, also out of turn. Raises ValueError quoting an illegal one."""

    def legal_mask(self) -> NDArray[np.uint8]:
        """Returns [move_count] uint8, 1 at the legal moves of to_move."""

    def legal_moves(self) -> list[int]:
        """Returns the legal moves of to_move, in rising order."""

    def setup(self, stones: list[tuple[int, int]], to_move: int = 0) -> None:
        """Replaces the board by (color, cell)s; ValueError, with nothing changed, if impossible."""

    def is_same(self, other: Self, /) -> bool:
        """Whether a search of one may continue as a search of the other."""

    def features(self, symmetry: int = 0) -> tuple[NDArray[np.uint8], NDArray[np.float32]]:
        """Returns the network inputs, turned by the symmetry.

        They are [planes, height, width] uint8 and [globals] float32.
        """


@runtime_checkable
class PlacedPosition(Protocol):
    """A position of a game with several kinds of pieces."""

    @property
    def placed(self) -> list[tuple[int, int]]:
        """The board as (piece, cell)s for setup."""


@runtime_checkable
class PolicyIndexedPosition(Protocol):
    """A position whose network has a policy in another order than the game's moves."""

    def policy_indices(self) -> NDArray[np.intp]:
        """Returns [move_count] the index of each legal move in the policy; -1 if illegal."""


def placed_stones(position: Position) -> list[tuple[int, int]]:
    """Returns the stones on the board as (color, cell)s, in rising order of cells.

    In a game of kinds of pieces, the board is (piece, cell)s, as its position lists it.
    """
    if isinstance(position, PlacedPosition):
        return position.placed
    return [(int(stone) - 1, cell) for cell, stone in enumerate(position.stones.flat) if stone]


@runtime_checkable
class PhasedPosition(Protocol):
    """A position of a game whose board does not fill up."""

    @property
    def phase(self) -> float:
        """The phase of the game: 0 at the start, near 1 at the end."""


def phase_of(position: Position) -> float:
    """Returns the phase of the game, 0..1: by default the filled share of the board."""
    if isinstance(position, PhasedPosition):
        return position.phase
    return float(np.count_nonzero(position.stones) / position.stones.size)


P = TypeVar("P", bound=Position)
