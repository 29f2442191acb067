"""Where moves are, and how far from what the opponent has just done.

Knows boards as arrays. What near means, each game says: a row of DISTANCE_RULES. A cell is
y * width + x from the top left.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from engine.games.position import Position
from engine.games.table import GAMES

Places = NDArray[np.float64]  # [n, 2] x and y
Distances = NDArray[np.float64]


def places(game: str, position: Position) -> Places:
    """[move_count, 2] where each move would put its stone, not a number where it puts none.

    In Connect4 that is the lowest empty cell of the column.
    """
    width, height = position.width, position.height
    found = np.full((position.move_count, 2), np.nan)
    if GAMES[game].by_columns:
        for column in range(width):
            empty = np.flatnonzero(position.stones[:, column] == 0)
            if len(empty):
                found[column] = column, empty[-1]
        return found
    found[: width * height, 0] = np.tile(np.arange(width), height)
    found[: width * height, 1] = np.repeat(np.arange(height), width)
    return found


def stones_of(position: Position, color: int) -> Places:
    """[n, 2] where the color's stones stand."""
    y, x = np.nonzero(position.stones == color + 1)
    return np.stack([x, y], axis=1).astype(np.float64)


def last_placed(recent: Sequence[Position], color: int) -> Places:
    """[0 or 1, 2] where the color's last move put its stone.

    recent: positions of the game, the present one last, after that move. None where it passed, or
    where the last two positions are not one move apart.
    """
    return _one(_changed(recent, color, from_empty=True))


def last_changed(recent: Sequence[Position], color: int) -> Places:
    """[n, 2] where the color's last move put its disc and where it turned others; as above."""
    placed = last_placed(recent, color)
    return _changed(recent, color, from_empty=False) if len(placed) else placed


def _changed(recent: Sequence[Position], color: int, *, from_empty: bool) -> Places:
    if len(recent) < 2 or recent[-2].stones.shape != recent[-1].stones.shape:
        return np.empty((0, 2))
    before, now = recent[-2].stones, recent[-1].stones
    mine = color + 1
    y, x = np.nonzero((now == mine) & ((before == 0) if from_empty else (before != mine)))
    return np.stack([x, y], axis=1).astype(np.float64)


def _one(found: Places) -> Places:
    return found if len(found) == 1 else found[:0]


def euclidean(one: Places, others: Places) -> Distances:
    """[n, m] distances as the crow flies."""
    distances: Distances = np.hypot(*(one[:, None] - others[None]).transpose(2, 0, 1))
    return distances


def in_king_moves(one: Places, others: Places) -> Distances:
    """[n, m] distances as a chess king walks: along lines, which discs act on."""
    distances: Distances = np.abs(one[:, None] - others[None]).max(axis=2)
    return distances


@dataclass(frozen=True, slots=True)
class DistanceRule:
    """What it means in a game that a move is near another one, and what that weighs."""

    measure: Callable[[Places, Places], Distances]
    # (recent positions, color) -> what that color has just done.
    done: Callable[[Sequence[Position], int], Places]
    limits: tuple[float, ...]  # distances, rising
    factors: tuple[float, ...]  # up to each of them, and farther away
    support: float | None  # nothing is weighed where no own stone is so near to that move


DISTANCE_RULES: dict[str, DistanceRule] = {
    # Shi et al. 2021, Method B.
    "go": DistanceRule(
        euclidean,
        last_placed,
        (2, 3, 4, 5, 6, 7),
        (1.50, 1.25, 1.00, 0.75, 0.50, 0.25, 0.10),
        support=3.0,
    ),
    # A move changes the board where discs were turned, not only where its own was put.
    "othello": DistanceRule(
        in_king_moves, last_changed, (1, 2, 3), (1.50, 1.00, 0.50, 0.25), support=None
    ),
    # No line of four reaches farther than three cells.
    "connect4": DistanceRule(
        in_king_moves, last_placed, (1, 2, 3), (1.50, 1.25, 1.00, 0.50), support=None
    ),
}


def distances(game: str, recent: Sequence[Position], moves: int = 1) -> Distances | None:
    """[move_count] of each move from what the last moves did, infinite for a pass.

    recent: as above; the last of the moves is the opponent's. None where nothing was done.
    """
    near, position = DISTANCE_RULES[game], recent[-1]
    done = [
        near.done(recent[: len(recent) - back], (1 - position.to_move + back) % 2)
        for back in range(moves)
    ]
    where = np.concatenate(done)
    if not len(where):
        return None
    found: Distances = near.measure(places(game, position), where).min(axis=1)
    found[np.isnan(found)] = np.inf
    return found


def stepped(values: Distances, limits: Sequence[float], factors: Sequence[float]) -> Distances:
    """For each value the factor of the first limit that it does not exceed, beyond all the last.

    There is one factor more than limits.
    """
    weights: Distances = np.asarray(factors, np.float64)[np.searchsorted(limits, values)]
    return weights


def near_weights(game: str, recent: Sequence[Position]) -> Distances | None:
    """[move_count] omega(d) of Method B: factors on the policy, 1 for a pass; None: all 1."""
    near, position = DISTANCE_RULES[game], recent[-1]
    found = distances(game, recent)
    if found is None:
        return None
    if near.support is not None:
        own = stones_of(position, position.to_move)
        done = near.done(recent, 1 - position.to_move)
        if not len(own) or near.measure(own, done).min() > near.support:
            return None
    return np.where(np.isinf(found), 1.0, stepped(found, near.limits, near.factors))
