"""Slow and obvious referees of Othello and Connect4, sharing nothing with the core.

Both games are of lines on a grid: a board is a tuple of 0 empty, 1 and 2 the two colors, row by row
from the top, and a line is the cells one meets going from a cell in one direction.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Protocol, Self

EMPTY, FIRST, SECOND = 0, 1, 2
DIRECTIONS = [(dx, dy) for dx in (-1, 0, 1) for dy in (-1, 0, 1) if (dx, dy) != (0, 0)]


class Referee(Protocol):
    """A game so far; play() gives the game after."""

    width: int
    height: int
    cells: tuple[int, ...]
    to_move: int  # FIRST or SECOND

    def legal_moves(self) -> list[int]:
        """The moves of the side to move, none when the game is over."""

    def play(self, move: int) -> Self:
        """The game after the move."""

    def score(self) -> int:
        """By how much the first player has won, or leads where the game counts that."""


@dataclass(frozen=True)
class Grid:
    """A board and who is to move."""

    width: int
    height: int
    cells: tuple[int, ...]
    to_move: int = FIRST

    def line(self, cell: int, direction: tuple[int, int]) -> Iterator[int]:
        """The cells from the one beside `cell` to the edge."""
        x, y = cell % self.width + direction[0], cell // self.width + direction[1]
        while 0 <= x < self.width and 0 <= y < self.height:
            yield y * self.width + x
            x, y = x + direction[0], y + direction[1]

    def run(self, cell: int, direction: tuple[int, int], color: int) -> list[int]:
        """The cells of that color that one meets first."""
        found = []
        for other in self.line(cell, direction):
            if self.cells[other] != color:
                break
            found.append(other)
        return found


@dataclass(frozen=True)
class Othello(Grid):
    """Othello: a move flips every run of the opponent's discs that it and an own disc enclose."""

    def flips(self, cell: int, color: int) -> list[int]:
        if self.cells[cell] != EMPTY:
            return []
        flipped = []
        for direction in DIRECTIONS:
            run = self.run(cell, direction, 3 - color)
            beyond = list(self.line(cell, direction))[len(run) :]
            if run and beyond and self.cells[beyond[0]] == color:
                flipped += run
        return flipped

    def placements(self, color: int) -> list[int]:
        return [cell for cell in range(len(self.cells)) if self.flips(cell, color)]

    def legal_moves(self) -> list[int]:
        own = self.placements(self.to_move)
        if own:
            return own
        return [len(self.cells)] if self.placements(3 - self.to_move) else []

    def play(self, move: int) -> Othello:
        cells = list(self.cells)
        if move < len(cells):
            for cell in [move, *self.flips(move, self.to_move)]:
                cells[cell] = self.to_move
        return replace(self, cells=tuple(cells), to_move=3 - self.to_move)

    def score(self) -> int:
        lead = self.cells.count(FIRST) - self.cells.count(SECOND)
        if self.legal_moves() or lead == 0:
            return lead
        empty = self.cells.count(EMPTY)
        return lead + empty if lead > 0 else lead - empty


@dataclass(frozen=True)
class Connect4(Grid):
    """Connect4: a disc falls to the lowest empty cell of its column; four in a line win."""

    latest: int | None = None  # the cell where the latest disc lies

    def makes_four(self, cell: int, color: int) -> bool:
        """Whether a disc of that color there is, or would be, in a line of four."""
        return any(
            1 + len(self.run(cell, (dx, dy), color)) + len(self.run(cell, (-dx, -dy), color)) >= 4
            for dx, dy in DIRECTIONS
        )

    def won(self) -> bool:
        """Whether the latest disc is in a line of four."""
        return self.latest is not None and self.makes_four(self.latest, self.cells[self.latest])

    def legal_moves(self) -> list[int]:
        return [] if self.won() else [x for x in range(self.width) if self.cells[x] == EMPTY]

    def play(self, move: int) -> Connect4:
        column = range(move, len(self.cells), self.width)
        lowest = max(cell for cell in column if self.cells[cell] == EMPTY)
        cells = list(self.cells)
        cells[lowest] = self.to_move
        return replace(self, cells=tuple(cells), to_move=3 - self.to_move, latest=lowest)

    def score(self) -> int:
        """1 for a win by the last disc that fits, and 1 more for every two discs earlier."""
        if not self.won():
            return 0
        left = self.cells.count(EMPTY)
        return (1 + left // 2) * (1 if self.to_move == SECOND else -1)


def othello(size: int) -> Othello:
    """The start: two discs of each color in the middle, the first player's on the rising line."""
    cells = [EMPTY] * size * size
    low = size // 2 - 1
    for x, y, color in ((0, 0, SECOND), (1, 1, SECOND), (1, 0, FIRST), (0, 1, FIRST)):
        cells[(low + y) * size + low + x] = color
    return Othello(size, size, tuple(cells))


def connect4(width: int, height: int) -> Connect4:
    return Connect4(width, height, (EMPTY,) * (width * height))


def start_of(game: str, width: int, height: int) -> Othello | Connect4:
    return othello(width) if game == "othello" else connect4(width, height)
