"""A judged game: the values of its positions, and the moves that cost the most.

Values and leads belong to color 0. The module is pure; protocols.page.reviewer judges.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from engine.review.marks import badness, mark_of

MOST_DEAR = 3  # moves
LEAST_LOSS, LEAST_POINTS = 0.03, 1.5  # of a dear move: of the chance to win, or points


@dataclass(frozen=True, slots=True)
class JudgedPosition:
    """One position of a game. The moves are numbers; empty and None at the end of the game."""

    to_move: int
    value: float  # color 0's chance to win, 0..1
    lead: float  # color 0's lead, in points
    best_line: tuple[int, ...] = ()  # begins with the best move
    people: tuple[tuple[int, float], ...] = ()  # likely moves and their shares, the first the most
    people_share: float | None = None  # of the move that was played; None: no people are known


@dataclass(frozen=True, slots=True)
class DearMove:
    """A move that cost much, as its player sees it."""

    number: int  # from 0
    loss: float  # of the chance to win, 0..1
    points: float
    kind: str  # a MoveMark; empty: none


def dearest(
    positions: Sequence[JudgedPosition], color: int, factor: float | None
) -> list[DearMove]:
    """Returns the dearest moves of a color, the dearest first.

    positions: before each move, and at the end. factor: of the player's level on the points of a
    mark; None: points have no mark.
    """
    moves = sorted(_losses(positions, color, factor), key=lambda move: (-move.loss, -move.points))
    dear = [move for move in moves if move.loss >= LEAST_LOSS or move.points >= LEAST_POINTS]
    return dear[:MOST_DEAR]


def _losses(
    positions: Sequence[JudgedPosition], color: int, factor: float | None
) -> Iterator[DearMove]:
    sign = 1 if color == 0 else -1
    for number, (before, after) in enumerate(pairwise(positions)):
        if before.to_move == color:
            win_rates = (before.value, after.value)
            if color == 1:
                win_rates = (1 - before.value, 1 - after.value)
            points = max(0.0, sign * (before.lead - after.lead))
            of_mark = (None, 1.0) if factor is None else (points, factor)
            mark = mark_of(badness(of_mark[0], win_rates, of_mark[1]))
            yield DearMove(number, max(0.0, win_rates[0] - win_rates[1]), points, mark or "")
