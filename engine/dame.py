"""Dame, the points between the players that are nobody's, and seki, where they stay so.

Knows stones and whose the points around them are. Knows no rules and asks no search.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from engine.chains import BLACK, WHITE, liberties_of, neighbours


def fillable(stones: NDArray[np.uint8], owners: NDArray[np.int8]) -> list[int]:
    """The dame that somebody can fill; arguments as in in_seki."""
    dame = _dame(stones, owners)
    left = set(_left_open(stones, dame))
    return [point for point in dame if point not in left]


def in_seki(stones: NDArray[np.uint8], owners: NDArray[np.int8]) -> NDArray[np.bool_]:
    """[H, W], the empty points that belong to chains which live in seki.

    owners: [H, W], 1 Black's point, -1 White's, 0 a dame; stones: none of them dead. In seki lives
    who borders on a dame that neither side can fill: its own chain would have but one liberty left.
    """
    dame = _left_open(stones, _dame(stones, owners))
    height, width = stones.shape
    found = np.zeros(stones.shape, dtype=np.bool_)
    edge = [near for point in dame for near in neighbours(point, width, height)]
    while edge:
        point = edge.pop()
        if owners.flat[point] and not found.flat[point]:
            found.flat[point] = True
            around = neighbours(point, width, height)
            edge += [near for near in around if owners.flat[near] == owners.flat[point]]
    found[stones != 0] = False
    return found


def _dame(stones: NDArray[np.uint8], owners: NDArray[np.int8]) -> list[int]:
    found: list[int] = np.flatnonzero((stones == 0) & (owners == 0)).tolist()
    return found


def _left_open(stones: NDArray[np.uint8], dame: Sequence[int]) -> list[int]:
    """The dame that nobody can fill, the others being filled."""
    filled, left = stones.copy(), list(dame)
    while True:
        open_now = left
        left = []
        for point in open_now:
            filled.flat[point] = _filler(filled, point)
            if not filled.flat[point]:
                left.append(point)
        if len(left) in {0, len(open_now)}:
            return left


def _filler(stones: NDArray[np.uint8], point: int) -> int:
    """The color, as stones are written, that can fill the point best; 0 for none."""
    liberties = {}
    for color in (BLACK, WHITE):
        after = stones.copy()
        after.flat[point] = color
        liberties[color] = len(liberties_of(after, point))
    best = max(liberties, key=lambda color: liberties[color])
    return best if liberties[best] > 1 else 0
