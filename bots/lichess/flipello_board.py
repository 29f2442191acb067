"""Othello's board in Fairy-Stockfish's coordinates: a1 at the bottom left, as the forks have it.

It follows the moves of a game for one purpose: a pass is written as a disc that stays where it is,
the player's own disc of the lowest rank and, on it, of the lowest file.
"""

from __future__ import annotations

from bots.fields import WireError

_STEPS = tuple((x, y) for x in (-1, 0, 1) for y in (-1, 0, 1) if x or y)
Square = tuple[int, int]  # file and rank, from 0


class FlipelloBoard:
    """The discs of both sides. It checks no rule but the place of a move."""

    def __init__(self, size: int) -> None:
        low, high = size // 2 - 1, size // 2
        self._size = size
        self._discs: dict[Square, int] = {  # side by square
            (low, low): 0,
            (high, high): 0,
            (low, high): 1,
            (high, low): 1,
        }

    def place(self, side: int, square: Square) -> None:
        """Places a disc and turns the discs between it and others of its side.

        Raises WireError on an occupied square and on one off the board.
        """
        x, y = square
        if square in self._discs or not (0 <= x < self._size and 0 <= y < self._size):
            raise WireError(f"no disc can stand on file {x + 1}, rank {y + 1}")
        for step in _STEPS:
            for each in self._between(side, square, step):
                self._discs[each] = side
        self._discs[square] = side

    def pass_square(self, side: int) -> Square:
        """Returns the disc that a pass of this side names."""
        own = [square for square, owner in self._discs.items() if owner == side]
        return min(own, key=lambda square: (square[1], square[0]), default=(0, 0))

    def _between(self, side: int, square: Square, step: tuple[int, int]) -> list[Square]:
        """Returns the other side's discs from a square to the next own disc; empty without one."""
        result: list[Square] = []
        x, y = square
        while True:
            x, y = x + step[0], y + step[1]
            owner = self._discs.get((x, y))
            if owner is None:
                return []
            if owner == side:
                return result
            result.append((x, y))
