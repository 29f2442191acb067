"""Dame, the neutral points between the players, and seki, chains alive by dame left open.

The functions need no rules and no search. In all functions stones is [H, W] uint8 without dead
stones, 0 empty, 1 Black, 2 White; owners is [H, W] int8, 1 Black's point, -1 White's, 0 a dame.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from engine.games.chains import BLACK, WHITE, beside, chains, liberties_of

TWO_EYES = 7  # points; territory of this size makes two eyes, with either side to move


def fillable(stones: NDArray[np.uint8], owners: NDArray[np.int8]) -> list[int]:
    """Returns the dame in owners [H, W] fillable by at least one side, in rising order."""
    left = set(_left_open(stones, owners))
    return [point for point in _dame(stones, owners) if point not in left]


def connection(
    stones: NDArray[np.uint8], owners: NDArray[np.int8], point: int, color: int
) -> int | None:
    """Returns the connection in a color's territory to play before it can fill the dame.

    None if no such move is needed, or none helps. stones, owners: [H, W]. color: BLACK or WHITE.
    """
    after = stones.copy()
    after.flat[point] = color
    liberties = liberties_of(after, point)
    if len(liberties) != 1 or owners.flat[liberties[0]] != (1 if color == BLACK else -1):
        return None
    after.flat[liberties[0]] = color
    return liberties[0] if len(liberties_of(after, point)) > 1 else None


def in_seki(stones: NDArray[np.uint8], owners: NDArray[np.int8]) -> NDArray[np.bool_]:
    """Returns a mask [H, W] of the empty points owned by chains in seki.

    A chain lives in seki if it has no two eyes, no connection to a chain with two, and a dame
    beside it to be filled by neither side: this dame alone keeps the chain alive.
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
    chains: frozenset[int]  # the owner's chains around it, each by its first cell


def _heads(stones: NDArray[np.uint8]) -> NDArray[np.int64]:
    """Returns [H, W] int64, the first cell of each stone's chain; 0 on empty points."""
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
    """Returns the chains with two eyes, and the chains connected to them through territory.

    This is Benson's algorithm with territory for his regions. A territory is an eye of all chains
    around it, but of none if one of them has no second eye.
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
    """Returns the chains and all chains connected to them through territory."""
    while more := {chain for area in areas if area.chains & heads for chain in area.chains} - heads:
        heads = heads | more
    return heads


def _dame(stones: NDArray[np.uint8], owners: NDArray[np.int8]) -> list[int]:
    points: list[int] = np.flatnonzero((stones == 0) & (owners == 0)).tolist()
    return points


def _left_open(stones: NDArray[np.uint8], owners: NDArray[np.int8]) -> list[int]:
    """Returns the dame fillable by neither side once the others are filled."""
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
    """Returns the color with the most liberties to fill the point, BLACK or WHITE; 0: neither."""
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
