"""What a player is given before the first move, in Elo: the first move, handicap stones and komi.

Knows rules of thumb and measurements, no network. Of games that begin in their middle it knows
nothing, for how those stand says more than how they began.

Go, where without handicap and with usual komi it is near nothing:
- A stone is worth 14 points, the turn half of one: fair komi is 7, as strong engines have it.
- On 19x19 a handicap stone is a rank and a rank about 100 Elo, so that a point is worth
  100/14 Elo there. Games on smaller boards have fewer moves in which a better player could make up
  for it: a point is worth so much more as the board is smaller.
- On 9x9 that was measured, and is less than by these rules: every other level of the ladder played
  against itself with komi 7 and with komi -7, 20 to 1000 games each as they fitted into 30 seconds.
  Intervals are +-2 Elo a point around random play and +-8 at both ends.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from engine.games.table import Board
from engine.opponents.posterior import Grid

STONE_POINTS = 14.0
RANK_ELO = 100.0  # on 19x19, for a stone
USUAL_AREA = 19 * 19
MOST_STONES = 30  # more are the middle of a game


@dataclass(frozen=True, slots=True)
class Points:
    """What Go's points are worth on a board."""

    fair_komi: float  # what the turn is worth
    # (mean strength of the two, what a point is worth), in Elo, the first rising.
    worth: tuple[tuple[float, float], ...]


MEASURED: dict[str, Points] = {  # by a board's name
    "go9": Points(3.0, ((0, 6), (400, 10), (900, 13), (1200, 18))),
}


@dataclass(frozen=True, slots=True)
class Advantage:
    """What somebody was given, which may be worth more to the strong than to the weak."""

    # (mean strength of the two, what it is worth), in Elo of the ladder, the first rising.
    points: tuple[tuple[float, float], ...] = ((0.0, 0.0),)

    def between(self, level_elo: float, strengths: Grid) -> Grid:
        """[strengths], what it is worth between a level and each of these, in Elo."""
        elos, worths = zip(*self.points, strict=True)
        worth: Grid = np.interp((level_elo + strengths) / 2, elos, worths)
        return worth

    def turned(self) -> Advantage:
        """What the other one was given by it."""
        return Advantage(tuple((elo, -worth) for elo, worth in self.points))


NOTHING = Advantage()
# By a board's name, what the first move is worth. Levels of the ladder played against themselves
# from the usual beginning, 20 to 1500 games each as they fitted into 15 seconds, in Connect4 some
# against each other too; these are lines through what the first player scored beyond the ladder's
# difference, which was known to +-20 Elo at the bottom and to +-150 at the top. None rises by 2 Elo
# or more an Elo, or the stronger player would seem to win less.
FIRST_MOVE: dict[str, Advantage] = {
    "connect4": Advantage(
        ((750, 40), (850, 12), (1150, 20), (1250, 50), (1350, 80), (1550, 400), (1650, 550))
    ),
    "othello6": Advantage(((-450, 10), (0, -38), (800, -65), (1050, -65), (1200, -175))),
    "othello8": Advantage(((620, -25), (750, 20))),
}


def advantage_of(
    color: int,
    board: Board,
    *,
    setup: Sequence[tuple[int, int]] = (),
    first_to_move: int = 0,
    komi: float | None = None,
) -> Advantage:
    """What the player of this color was given; setup: Black's handicap, as (color, move).

    komi: Go's; None in other games, which have no handicap.
    """
    if komi is not None:
        first = handicap(board, setup, first_to_move, komi)
    else:
        first = NOTHING if setup else FIRST_MOVE.get(board.name, NOTHING)
    return first if color == 0 else first.turned()


def handicap(
    board: Board, setup: Sequence[tuple[int, int]], first_to_move: int, komi: float
) -> Advantage:
    """What Black was given in Go."""
    if len(setup) > MOST_STONES or any(stone != 0 for stone, _ in setup):
        return NOTHING
    a_point = RANK_ELO / STONE_POINTS * USUAL_AREA / (board.width * board.height)
    known = MEASURED.get(board.name, Points(STONE_POINTS / 2, ((0.0, a_point),)))
    turn = known.fair_komi * (1 if first_to_move == 0 else -1)
    points = STONE_POINTS * len(setup) + turn - komi
    return Advantage(tuple((elo, points * worth) for elo, worth in known.worth))
