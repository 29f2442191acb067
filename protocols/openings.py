"""Openings for matches: a few seeded moves that make games differ, without asking any engine.

Knows where stones usually begin. Each opening is meant to be played twice with colors exchanged,
so it need not be even.
"""

from __future__ import annotations

import random

from engine.games import write_vertex

CORNER_BOARD = 12  # from here on a board has corners of its own, below it is one fight
CORNER_POINTS = ((3, 3), (3, 3), (2, 3), (3, 2), (2, 2), (4, 2), (2, 4))  # 0 is the first line


def opening(width: int, height: int, rng: random.Random) -> tuple[str, ...]:
    """Moves in turn as vertices: one a corner on large boards, else two off the edges.

    Every point is on the third line or higher where the board has one; no two stones touch.
    """
    if min(width, height) >= CORNER_BOARD:
        points = _corners(width, height, rng)
    else:
        points = _inner_pair(width, height, rng)
    return tuple(write_vertex(y * width + x, width, height) for x, y in points)


def _corners(width: int, height: int, rng: random.Random) -> list[tuple[int, int]]:
    points = []
    for right in (False, True):
        for bottom in (False, True):
            x, y = rng.choice(CORNER_POINTS)
            points.append((width - 1 - x if right else x, height - 1 - y if bottom else y))
    rng.shuffle(points)
    return points


def _inner_pair(width: int, height: int, rng: random.Random) -> list[tuple[int, int]]:
    inner = [
        (x, y)
        for x in range(min(2, width // 3), width - min(2, width // 3))
        for y in range(min(2, height // 3), height - min(2, height // 3))
    ]
    first = rng.choice(inner)
    apart = [point for point in inner if _distance(first, point) > 1]
    return [first, rng.choice(apart)]


def _distance(one: tuple[int, int], other: tuple[int, int]) -> int:
    return abs(one[0] - other[0]) + abs(one[1] - other[1])
