"""Positions of moves, and their distances from the opponent's last move.

Boards are arrays. A row of DISTANCE_RULES defines the distance in a game. A cell is y * width + x
from the top left.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from engine.games.chess_game import MOVES as CHESS_MOVES
from engine.games.chess_policy import SIDE
from engine.games.position import Position
from engine.games.table import GAMES

Places = NDArray[np.float64]  # [n, 2] x and y
Distances = NDArray[np.float64]


def places(game: str, position: Position) -> Places:
    """Cell (x, y) of each move's stone: [move_count, 2]; NaN if the move puts no stone.

    In Connect4 this is the lowest empty cell of the column, in chess the square moved to.
    """
    width, height = position.width, position.height
    cells = np.full((position.move_count, 2), np.nan)
    if GAMES[game].by_columns:
        for column in range(width):
            empty = np.flatnonzero(position.stones[:, column] == 0)
            if len(empty):
                cells[column] = column, empty[-1]
        return cells
    if game == "chess":
        return np.array([_target(text) for text in CHESS_MOVES], np.float64)
    cells[: width * height, 0] = np.tile(np.arange(width), height)
    cells[: width * height, 1] = np.repeat(np.arange(height), width)
    return cells


def _target(text: str) -> tuple[int, int]:
    """Returns the cell (x, y) of the second square of a move of chess, as UCI writes it."""
    return ord(text[2]) - ord("a"), SIDE - int(text[3])


def stones_of(position: Position, color: int) -> Places:
    """Cells (x, y) of the color's stones: [n, 2]."""
    y, x = np.nonzero(position.stones == color + 1)
    return np.stack([x, y], axis=1).astype(np.float64)


def last_placed(recent: Sequence[Position], color: int) -> Places:
    """Cell (x, y) of the stone of the color's last move: [0 or 1, 2].

    recent: positions of the game, ending with the one after that move. The result is empty after a
    pass, and if the last two positions are not one move apart.
    """
    return _one(_changed(recent, color, from_empty=True))


def last_changed(recent: Sequence[Position], color: int) -> Places:
    """Cells of the disc put by the color's last move and of the discs it turned: [n, 2]."""
    placed = last_placed(recent, color)
    return _changed(recent, color, from_empty=False) if len(placed) else placed


def _changed(recent: Sequence[Position], color: int, *, from_empty: bool) -> Places:
    if len(recent) < 2 or recent[-2].stones.shape != recent[-1].stones.shape:
        return np.empty((0, 2))
    before, now = recent[-2].stones, recent[-1].stones
    mine = color + 1
    y, x = np.nonzero((now == mine) & ((before == 0) if from_empty else (before != mine)))
    return np.stack([x, y], axis=1).astype(np.float64)


def _one(cells: Places) -> Places:
    return cells if len(cells) == 1 else cells[:0]


def euclidean(one: Places, others: Places) -> Distances:
    """Euclidean distances between cells: [n, m]."""
    distances: Distances = np.hypot(*(one[:, None] - others[None]).transpose(2, 0, 1))
    return distances


def in_king_moves(one: Places, others: Places) -> Distances:
    """Distances in moves of a chess king: [n, m]. Discs act along these lines."""
    distances: Distances = np.abs(one[:, None] - others[None]).max(axis=2)
    return distances


@dataclass(frozen=True, slots=True)
class DistanceRule:
    """A game's distance between moves, and the factors on the policy by distance."""

    measure: Callable[[Places, Places], Distances]
    # (recent positions, color) -> the cells changed by that color's last move.
    done: Callable[[Sequence[Position], int], Places]
    limits: tuple[float, ...]  # upper limits of distances, rising
    factors: tuple[float, ...]  # the factor up to each limit, then the factor beyond the last
    # greatest distance of the nearest own stone; beyond it all factors are 1; None: no such limit
    support: float | None


DISTANCE_RULES: dict[str, DistanceRule] = {
    # Shi et al. 2021, Method B.
    "go": DistanceRule(
        euclidean,
        last_placed,
        (2, 3, 4, 5, 6, 7),
        (1.50, 1.25, 1.00, 0.75, 0.50, 0.25, 0.10),
        support=3.0,
    ),
    # A move changes the board at its turned discs as well as at its own.
    "othello": DistanceRule(
        in_king_moves, last_changed, (1, 2, 3), (1.50, 1.00, 0.50, 0.25), support=None
    ),
    # No line of four reaches farther than three cells.
    "connect4": DistanceRule(
        in_king_moves, last_placed, (1, 2, 3), (1.50, 1.25, 1.00, 0.50), support=None
    ),
}


def distances(game: str, recent: Sequence[Position], moves: int = 1) -> Distances | None:
    """Distance of each move from the last moves' cells: [move_count], infinite for a pass.

    recent: positions of the game, the present one last. moves: the number of last moves, beginning
    with the opponent's. Returns None if they changed no cell.
    """
    near, position = DISTANCE_RULES[game], recent[-1]
    done = [
        near.done(recent[: len(recent) - back], (1 - position.to_move + back) % 2)
        for back in range(moves)
    ]
    where = np.concatenate(done)
    if not len(where):
        return None
    nearest: Distances = near.measure(places(game, position), where).min(axis=1)
    nearest[np.isnan(nearest)] = np.inf
    return nearest


def stepped(values: Distances, limits: Sequence[float], factors: Sequence[float]) -> Distances:
    """Returns for each value the factor of the first limit not below it, else the last factor.

    There is one factor more than there are limits.
    """
    weights: Distances = np.asarray(factors, np.float64)[np.searchsorted(limits, values)]
    return weights


def near_weights(game: str, recent: Sequence[Position]) -> Distances | None:
    """Factors omega(d) of Method B on the policy: [move_count], 1 for a pass. None: all are 1."""
    near, position = DISTANCE_RULES[game], recent[-1]
    to_last_move = distances(game, recent)
    if to_last_move is None:
        return None
    if near.support is not None:
        own = stones_of(position, position.to_move)
        done = near.done(recent, 1 - position.to_move)
        if not len(own) or near.measure(own, done).min() > near.support:
            return None
    return np.where(np.isinf(to_last_move), 1.0, stepped(to_last_move, near.limits, near.factors))
