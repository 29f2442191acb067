"""The score of a finished game of Go by the rules of OGS, counted apart from the engine."""

from __future__ import annotations

from collections.abc import Collection

import numpy as np
from numpy.typing import NDArray

AREA_RULES = {"chinese", "aga", "nz", "ing"}
# Rules -> points of White for so many handicap stones.
BONUS = {"chinese": lambda n: n, "ing": lambda n: n, "aga": lambda n: max(n - 1, 0)}
EMPTY, BLACK, WHITE = 0, 1, 2


def black_lead(
    stones: NDArray[np.uint8],
    dead: Collection[int],
    *,
    rules: str,
    komi: float,
    handicap: int,
    captured: tuple[int, int],
) -> float:
    """Returns Black's lead in points.

    stones: [H, W] uint8, 0 empty, 1 Black, 2 White. dead: cells of dead stones. captured: stones of
    Black and of White taken off the board during the game.
    """
    board = stones.copy()
    prisoners = [captured[1], captured[0]]  # of Black, of White
    for cell in dead:
        if board.flat[cell] != EMPTY:
            prisoners[0 if board.flat[cell] == WHITE else 1] += 1
            board.flat[cell] = EMPTY
    territory = {BLACK: 0, WHITE: 0}
    for region, border in _regions(board):
        if len(border) == 1:
            territory[border.pop()] += len(region)
    points = [territory[BLACK], territory[WHITE]]
    for index, color in enumerate((BLACK, WHITE)):
        points[index] += int((board == color).sum()) if rules in AREA_RULES else prisoners[index]
    bonus = BONUS[rules](handicap) if rules in BONUS else 0
    return points[0] - points[1] - komi - bonus


def _regions(board: NDArray[np.uint8]) -> list[tuple[set[int], set[int]]]:
    """Returns the connected empty regions, each with the colors beside it."""
    height, width = board.shape
    seen: set[int] = set()
    regions = []
    for start in np.flatnonzero(board == EMPTY).tolist():
        if start in seen:
            continue
        region, border, edge = {start}, set[int](), [start]
        while edge:
            y, x = divmod(edge.pop(), width)
            for row, column in ((y - 1, x), (y + 1, x), (y, x - 1), (y, x + 1)):
                if not (0 <= row < height and 0 <= column < width):
                    continue
                cell = row * width + column
                if board[row, column] != EMPTY:
                    border.add(int(board[row, column]))
                elif cell not in region:
                    region.add(cell)
                    edge.append(cell)
        seen |= region
        regions.append((region, border))
    return regions
