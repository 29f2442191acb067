"""Boards drawn as text, for the tests of Go: one cell a letter, blanks between them."""

from __future__ import annotations

from engine._core import GoPosition, GoRules

COLORS = {"X": 0, "O": 1}


def cells(drawing: str) -> list[list[str]]:
    return [line.split() for line in drawing.strip().splitlines()]


def position_of(board: list[list[str]], rules: GoRules | None = None) -> GoPosition:
    """The position with these stones, X Black's and O White's in either case, Black to move."""
    height, width = len(board), len(board[0])
    position = GoPosition(width, height, rules or GoRules())
    position.setup(
        [
            (COLORS[cell.upper()], y * width + x)
            for y, row in enumerate(board)
            for x, cell in enumerate(row)
            if cell.upper() in COLORS
        ]
    )
    return position
