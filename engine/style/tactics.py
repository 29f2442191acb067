"""What there is to attack and to defend near each move, game by game: numbers of 0 or more.

In Go that is stones whose fate is in doubt and whose chains have few liberties. In Othello the
opponent is attacked by leaving him few replies, and one's own discs are defended by exposing few of
them to an empty cell. In Connect4 it is lines of four through the cell that one side alone has
discs on. Knows positions and whose cells are thought to become.
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

REACH = 2  # steps along lines of the board: a move so near to a stone concerns it
FEW_LIBERTIES = 4  # a chain with more is the safer for it
FOUR = 4


def unsettled(position: GoPosition, ownership: Floats, color: int) -> Numbers:
    """[move_count] how weak the weakest stone of the color in reach of each move is, 0..1.

    A stone is as weak as its point's owner is in doubt, 1 - |ownership|, less where its chain has
    more liberties than a few. ownership: [H, W], of either side's view.
    """
    stones = stones_of(position, color)
    x, y = stones.astype(np.intp).T
    liberties = np.array([position.liberties(int(cell)) for cell in y * position.width + x])
    weakness = (1.0 - np.abs(ownership[y, x])) * np.minimum(1.0, FEW_LIBERTIES / liberties)
    steps = np.abs(places("go", position)[:, None] - stones[None]).sum(axis=2)
    in_reach: Numbers = np.where(steps <= REACH, weakness, 0.0).max(axis=1, initial=0.0)
    return in_reach


def replies_taken(position: Position) -> Numbers:
    """[move_count] how many of the most replies that Othello's moves leave each one takes away."""
    counts = np.zeros(position.move_count)
    for move, after in _after_each(position):
        replies = after.to_move != position.to_move and not after.is_over
        counts[move] = len(after.legal_moves()) if replies else 0
    return _below_most(position, counts)


def discs_covered(position: Position) -> Numbers:
    """[move_count] how many fewer own discs than at most each of Othello's moves exposes.

    A disc is exposed where an empty cell is beside it, diagonally too.
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
    """[move_count] of Connect4's columns, the open lines of a color through the cell of the move.

    A line counts with the square of the color's discs on it; one with a disc of the other's is not
    open.
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
    """The lines of four cells through a cell, each cell as (row, column)."""
    for dx, dy in ((1, 0), (0, 1), (1, 1), (1, -1)):
        for back in range(FOUR):
            cells = [(y + (i - back) * dy, x + (i - back) * dx) for i in range(FOUR)]
            if all(0 <= row < height and 0 <= column < width for row, column in cells):
                yield cells
