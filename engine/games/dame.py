"""Dame, the points between the players that are nobody's, and seki, where they stay so.

Knows stones and whose the points around them are. Knows no rules and asks no search.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from engine.games.chains import BLACK, WHITE, beside, chains, liberties_of

TWO_EYES = 7  # points: territory of this size makes two eyes, whoever moves first


def fillable(stones: NDArray[np.uint8], owners: NDArray[np.int8]) -> list[int]:
    """The dame that somebody can fill; arguments as in in_seki."""
    left = set(_left_open(stones, owners))
    return [point for point in _dame(stones, owners) if point not in left]


def connection(
    stones: NDArray[np.uint8], owners: NDArray[np.int8], point: int, color: int
) -> int | None:
    """The point of its own territory that a color fills before it can fill that dame.

    None where it needs no such move, or none helps. stones and owners as in in_seki; color as
    stones are written.
    """
    after = stones.copy()
    after.flat[point] = color
    liberties = liberties_of(after, point)
    if len(liberties) != 1 or owners.flat[liberties[0]] != (1 if color == BLACK else -1):
        return None
    after.flat[liberties[0]] = color
    return liberties[0] if len(liberties_of(after, point)) > 1 else None


def in_seki(stones: NDArray[np.uint8], owners: NDArray[np.int8]) -> NDArray[np.bool_]:
    """[H, W], the empty points that belong to chains which live in seki.

    owners: [H, W], 1 Black's point, -1 White's, 0 a dame; stones: none of them dead. A chain lives
    in seki beside a dame that neither side can fill, where it has no two eyes and no way to connect
    to a chain with two: such a dame is all that keeps it alive.
    """
    heads = _heads(stones)
    areas = _areas(stones, owners, heads)
    independent = _independent(areas)
    beside_dame = beside(stones, _left_open(stones, owners))
    dependent = {int(heads.flat[near]) for near in beside_dame if stones.flat[near]} - independent
    seki = _connected(dependent, areas)
    points = np.zeros(stones.shape, dtype=np.bool_)
    for area in areas:
        if area.chains & seki:
            points.flat[area.points] = True
    return points


@dataclass(frozen=True, slots=True)
class _Area:
    """Connected empty points of one owner."""

    points: Sequence[int]
    chains: frozenset[int]  # the owner's around it, each by its first move


def _heads(stones: NDArray[np.uint8]) -> NDArray[np.int64]:
    """[H, W], the first move of the chain that each stone belongs to."""
    heads = np.zeros(stones.shape, np.int64)
    for chain in chains(stones):
        heads.flat[chain] = chain[0]
    return heads


def _areas(
    stones: NDArray[np.uint8], owners: NDArray[np.int8], heads: NDArray[np.int64]
) -> list[_Area]:
    territory = np.where(stones != 0, 0, np.where(owners > 0, BLACK, np.where(owners, WHITE, 0)))
    areas = []
    for points in chains(territory.astype(np.uint8)):
        owner = territory.flat[points[0]]
        around = {int(heads.flat[at]) for at in beside(stones, points) if stones.flat[at] == owner}
        areas.append(_Area(points, frozenset(around)))
    return areas


def _independent(areas: Sequence[_Area]) -> set[int]:
    """The chains that have two eyes, and those connected to them through territory.

    Benson's algorithm, with territory for his regions: it is an eye of all chains around it, and of
    none where one of them has no second.
    """
    living = {chain for area in areas for chain in area.chains}
    eyes = list(areas)
    while True:
        eyes = [area for area in eyes if area.chains <= living]
        number = Counter[int]()
        for area in eyes:
            number.update(dict.fromkeys(area.chains, 2 if len(area.points) >= TWO_EYES else 1))
        remaining = {chain for chain in living if number[chain] >= 2}
        if remaining == living:
            return _connected(living, areas)
        living = remaining


def _connected(heads: set[int], areas: Sequence[_Area]) -> set[int]:
    """The chains and all that territory connects to them."""
    while more := {chain for area in areas if area.chains & heads for chain in area.chains} - heads:
        heads = heads | more
    return heads


def _dame(stones: NDArray[np.uint8], owners: NDArray[np.int8]) -> list[int]:
    points: list[int] = np.flatnonzero((stones == 0) & (owners == 0)).tolist()
    return points


def _left_open(stones: NDArray[np.uint8], owners: NDArray[np.int8]) -> list[int]:
    """The dame that nobody can fill, the others being filled."""
    filled, left = stones.copy(), _dame(stones, owners)
    while True:
        open_now = left
        left = []
        for point in open_now:
            filled.flat[point] = _filler(filled, owners, point)
            if not filled.flat[point]:
                left.append(point)
        if len(left) in {0, len(open_now)}:
            return left


def _filler(stones: NDArray[np.uint8], owners: NDArray[np.int8], point: int) -> int:
    """The color, as stones are written, that can fill the point best; 0 for none."""
    liberties = {}
    for color in (BLACK, WHITE):
        after = stones.copy()
        after.flat[point] = color
        liberties[color] = len(liberties_of(after, point))
    best = max(liberties, key=lambda color: liberties[color])
    if liberties[best] > 1:
        return best
    able = (color for color in liberties if connection(stones, owners, point, color) is not None)
    return next(able, 0)
