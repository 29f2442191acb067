"""Where Black's handicap stones go, on fixed points or freely.

Knows boards' sizes only. Moves are y * width + x, y = 0 at the top.
"""

from __future__ import annotations

import math

MOST_FREE = 30
LARGEST_WITH_THIRD_LINE = 12

# The stones in the order they are added, (column, row) as 0 left or top, 1 middle, 2 right or
# bottom; 5 and 7 put one stone in the middle instead. Section 4.1.1 of the GTP 2 draft.
CORNERS = ((0, 2), (2, 0), (0, 0), (2, 2))
SIDES = ((0, 1), (2, 1), (1, 0), (1, 2))
MIDDLE = (1, 1)


def most_fixed(width: int, height: int) -> int:
    """How many stones the fixed pattern knows for a board of this size; 0 where it has none."""
    if min(width, height) < 7:
        return 0
    if width % 2 == 0 or height % 2 == 0 or min(width, height) < 9:
        return 4
    return 9


def fixed(width: int, height: int, stones: int) -> list[int]:
    """The moves of the fixed pattern. Raises ValueError where it has none of so many stones."""
    if not 2 <= stones <= most_fixed(width, height):
        raise ValueError(f"no fixed handicap of {stones} stones on {width}x{height}")
    points = [*CORNERS[: min(stones, 4)], *SIDES[: max(stones - 4, 0) // 2 * 2]]
    if stones % 2 and stones > 4:
        points.append(MIDDLE)
    columns, rows = _lines(width), _lines(height)
    return [rows[row] * width + columns[column] for column, row in points]


def free(width: int, height: int, stones: int) -> list[int]:
    """Good moves for so many stones, perhaps fewer: the fixed pattern, then ever wider cover.

    At most a quarter of the board and 30 stones, but always two.
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
    """The point farthest from stones and edges; on large boards not below the third line."""
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
