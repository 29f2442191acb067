"""Counts the targets of attack and defence near each move, by game: numbers of 0 or more.

Go counts stones of doubtful fate in chains of few liberties. In Othello a move attacks by leaving
the opponent few replies, and defends by exposing few of its own discs to an empty cell. Connect4
counts the lines of four through the cell with discs of one side only. The inputs are positions and
ownership estimates.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from engine._core import GoPosition
from engine.games.position import Position
from engine.style.distance import places, stones_of
from engine.values import Floats

Numbers = NDArray[np.float64]  # [move_count]

REACH = 2  # steps along lines of the board: a move this near to a stone concerns it
FEW_LIBERTIES = 4  # a chain with more liberties is safer
FOUR = 4


def unsettled(position: GoPosition, ownership: Floats, color: int) -> Numbers:
    """Weakness of the weakest stone of `color` in reach of each move: [move_count], 0..1.

    A stone's weakness is the doubt about its point's owner, 1 - |ownership|, reduced in chains of
    more than FEW_LIBERTIES liberties. ownership: [H, W], from either side's view.
    """
    stones = stones_of(position, color)
    x, y = stones.astype(np.intp).T
    liberties = np.array([position.liberties(int(cell)) for cell in y * position.width + x])
    weakness = (1.0 - np.abs(ownership[y, x])) * np.minimum(1.0, FEW_LIBERTIES / liberties)
    steps = np.abs(places("go", position)[:, None] - stones[None]).sum(axis=2)
    in_reach: Numbers = np.where(steps <= REACH, weakness, 0.0).max(axis=1, initial=0.0)
    return in_reach


def replies_taken(position: Position) -> Numbers:
    """Replies that each Othello move denies, against the move with most replies: [move_count]."""
    counts = np.zeros(position.move_count)
    for move, after in _after_each(position):
        replies = after.to_move != position.to_move and not after.is_over
        counts[move] = len(after.legal_moves()) if replies else 0
    return _below_most(position, counts)


def discs_covered(position: Position) -> Numbers:
    """Own discs that each Othello move keeps covered, against the worst move: [move_count].

    A disc is exposed if an empty cell is beside it, diagonally too.
    """
    counts = np.zeros(position.move_count)
    for move, after in _after_each(position):
        empty = np.pad(after.stones == 0, 1)
        height, width = after.stones.shape
        beside = np.zeros((height, width), dtype=bool)
        for dy in range(3):
            for dx in range(3):
                beside |= empty[dy : dy + height, dx : dx + width]
        counts[move] = int((beside & (after.stones == position.to_move + 1)).sum())
    return _below_most(position, counts)


def lines_of_four(position: Position, color: int) -> Numbers:
    """Weight of a color's open lines through the cell of each Connect4 move: [move_count], columns.

    A line counts with the square of the number of the color's discs on it. A line with a disc of
    the other color is not open.
    """
    stones = np.array(position.stones)
    counts = np.zeros(position.move_count)
    for column, (x, y) in enumerate(places("connect4", position)):
        if np.isnan(x):
            continue
        for cells in _lines_through(int(x), int(y), position.width, position.height):
            held = [int(stones[cell]) for cell in cells]
            if held.count(2 - color) == 0:
                counts[column] += held.count(color + 1) ** 2
    return counts


def _after_each(position: Position) -> Iterator[tuple[int, Position]]:
    for move in position.legal_moves():
        after = position.copy()
        after.play(move)
        yield move, after


def _below_most(position: Position, counts: Numbers) -> Numbers:
    legal = position.legal_mask().astype(bool)
    return np.where(legal, counts[legal].max() - counts, 0.0)


def _lines_through(x: int, y: int, width: int, height: int) -> Iterator[list[tuple[int, int]]]:
    """Yields the lines of four cells through a cell, each cell as (row, column)."""
    for dx, dy in ((1, 0), (0, 1), (1, 1), (1, -1)):
        for back in range(FOUR):
            cells = [(y + (i - back) * dy, x + (i - back) * dx) for i in range(FOUR)]
            if all(0 <= row < height and 0 <= column < width for row, column in cells):
                yield cells
