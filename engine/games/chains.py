"""Chains and liberties on an array of stones, and neighbours of cells.

In all functions stones is [H, W] uint8, 0 empty, 1 Black, 2 White. A cell is a move, y * width + x.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import numpy as np
from numpy.typing import NDArray

BLACK, WHITE = 1, 2  # stones in arrays


def chains(stones: NDArray[np.uint8]) -> Iterator[list[int]]:
    """Yields each chain of stones [H, W], in order of its lowest cell."""
    visited = stones == 0
    for move in range(stones.size):
        if not visited.flat[move]:
            chain = chain_at(stones, move)
            visited.flat[chain] = True
            yield chain


def chain_at(stones: NDArray[np.uint8], move: int) -> list[int]:
    """Returns the cells of a stone's chain in stones [H, W], in rising order."""
    height, width = stones.shape
    color = stones.flat[move]
    connected, edge = {move}, [move]
    while edge:
        for other in neighbours(edge.pop(), width, height):
            if stones.flat[other] == color and other not in connected:
                connected.add(other)
                edge.append(other)
    return sorted(connected)


def beside(stones: NDArray[np.uint8], chain: Iterable[int]) -> list[int]:
    """Returns the neighbours of a chain in stones [H, W], in rising order, its cells included."""
    height, width = stones.shape
    return sorted({near for move in chain for near in neighbours(move, width, height)})


def liberties_of(stones: NDArray[np.uint8], move: int) -> list[int]:
    """Returns the liberties of a stone's chain in stones [H, W], in rising order."""
    return [near for near in beside(stones, chain_at(stones, move)) if not stones.flat[near]]


def neighbours(move: int, width: int, height: int) -> list[int]:
    """Returns the two to four cells beside a cell."""
    y, x = divmod(move, width)
    around = ((y - 1, x), (y, x - 1), (y, x + 1), (y + 1, x))
    return [r * width + c for r, c in around if 0 <= r < height and 0 <= c < width]
