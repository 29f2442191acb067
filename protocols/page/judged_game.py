"""A judged game: the values of its positions, and the moves that cost the most.

Values and leads belong to color 0. The module is pure; protocols.page.reviewer judges.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

MOST_DEAR = 3  # moves
LEAST_LOSS, LEAST_POINTS = 0.03, 1.5  # of a dear move: of the chance to win, or points
KINDS = ((0.3, "blunder"), (0.2, "mistake"), (0.1, "inaccuracy"))  # by the loss of the chance


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
    kind: str  # a word of KINDS; empty: less than those


def dearest(positions: Sequence[JudgedPosition], color: int) -> list[DearMove]:
    """Returns the dearest moves of a color, the dearest first.

    positions: before each move, and at the end.
    """
    moves = sorted(_losses(positions, color), key=lambda move: (-move.loss, -move.points))
    dear = [move for move in moves if move.loss >= LEAST_LOSS or move.points >= LEAST_POINTS]
    return dear[:MOST_DEAR]


def _losses(positions: Sequence[JudgedPosition], color: int) -> Iterator[DearMove]:
    sign = 1 if color == 0 else -1
    for number, (before, after) in enumerate(pairwise(positions)):
        if before.to_move == color:
            loss = max(0.0, sign * (before.value - after.value))
            points = max(0.0, sign * (before.lead - after.lead))
            kind = next((word for least, word in KINDS if loss >= least), "")
            yield DearMove(number, loss, points, kind)
