"""Boards drawn as text: X Black, O White, . empty, rows from the top, columns apart by spaces."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from engine._core import GoPosition, GoRules

STONES = {"X": 0, "O": 1}

# White's group in the middle and Black's share the dame F2, and neither dares to take it.
SEKI = """
. X O O O X X X X O .
X X O . O . X . X O O
. X O O O X X X X O .
"""


def rows_of(diagram: str) -> list[list[str]]:
    return [line.split() for line in diagram.strip().splitlines()]


def stones_of(diagram: str) -> list[tuple[int, int]]:
    """(color, cell) of every stone."""
    cells = [cell for row in rows_of(diagram) for cell in row]
    return [(STONES[cell], at) for at, cell in enumerate(cells) if cell in STONES]


def position_of(diagram: str, rules: GoRules, *, komi: float = 0.0, to_move: int = 0) -> GoPosition:
    rows = rows_of(diagram)
    position = GoPosition(len(rows[0]), len(rows), rules, komi)
    position.setup(stones_of(diagram))
    position.to_move = to_move
    return position


def drawing_of(values: NDArray[np.integer], symbols: str = ".XO") -> str:
    """The array as text; `symbols[value]` stands for a value, so -1 is the last of them."""
    return "\n".join(" ".join(symbols[value] for value in row) for row in values)
