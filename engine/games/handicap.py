"""Placement of Black's handicap stones, on fixed points or freely.

The placement depends only on the size of the board. Moves are y * width + x, y = 0 at the top.
"""

from __future__ import annotations

import math

MOST_FREE = 30  # stones
LARGEST_WITH_THIRD_LINE = 12  # sides up to this have their stones on the third line, not the fourth

# The stones in their order, (column, row): 0 is left or top, 1 the middle, 2 right or bottom; with
# 5 and 7 stones one is in the middle. Section 4.1.1 of the GTP 2 draft.
CORNERS = ((0, 2), (2, 0), (0, 0), (2, 2))
SIDES = ((0, 1), (2, 1), (1, 0), (1, 2))
MIDDLE = (1, 1)


def most_fixed(width: int, height: int) -> int:
    """Returns the most stones of the fixed pattern on a board of this size; 0 without a pattern."""
    if min(width, height) < 7:
        return 0
    if width % 2 == 0 or height % 2 == 0 or min(width, height) < 9:
        return 4
    return 9


def fixed(width: int, height: int, stones: int) -> list[int]:
    """Returns the moves of the fixed pattern. Raises ValueError if it lacks so many stones."""
    if not 2 <= stones <= most_fixed(width, height):
        raise ValueError(f"no fixed handicap of {stones} stones on {width}x{height}")
    points = [*CORNERS[: min(stones, 4)], *SIDES[: max(stones - 4, 0) // 2 * 2]]
    if stones % 2 and stones > 4:
        points.append(MIDDLE)
    columns, rows = _lines(width), _lines(height)
    return [rows[row] * width + columns[column] for column, row in points]


def free(width: int, height: int, stones: int) -> list[int]:
    """Returns good moves for so many stones: the fixed pattern, then the emptiest points.

    The number is capped at a quarter of the board and at 30, but two are always allowed.
    """
    stones = min(stones, max(2, min(MOST_FREE, width * height // 4)))
    pattern = min(stones, most_fixed(width, height))
    placed = fixed(width, height, pattern) if pattern >= 2 else []
    while len(placed) < stones:
        placed.append(_emptiest(width, height, placed))
    return placed


def _lines(length: int) -> tuple[int, int, int]:
    corner = 2 if length <= LARGEST_WITH_THIRD_LINE else 3
    return corner, length // 2, length - 1 - corner


def _emptiest(width: int, height: int, placed: list[int]) -> int:
    """Returns the point farthest from stones and edges; on large boards from the third line on."""
    margin = max(0, min(2, (min(width, height) - 3) // 2))

    def room(move: int) -> float:
        y, x = divmod(move, width)
        edge = min(x, y, width - 1 - x, height - 1 - y)
        nearest = min(
            (math.dist((x, y), (other % width, other // width)) for other in placed),
            default=math.inf,
        )
        return min(nearest, edge + 1.5)

    points = [
        y * width + x
        for y in range(margin, height - margin)
        for x in range(margin, width - margin)
        if y * width + x not in placed
    ]
    everywhere = [move for move in range(width * height) if move not in placed]
    return max(points or everywhere, key=room)
