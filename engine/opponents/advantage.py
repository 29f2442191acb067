"""A player's advantage at the start of a game, in Elo: the first move, handicap stones and komi.

The numbers are rules of thumb and measurements. A game that starts in the middle has no advantage
here: its standing says more than its start.

Go; without handicap and with the usual komi the advantage is near 0:
- A stone is worth 14 points, the first move half a stone: strong engines take 7 for the fair komi.
- On 19x19 a handicap stone is a rank and a rank about 100 Elo, hence 100/14 Elo a point. A smaller
  board has fewer moves for the better player to catch up: a point is worth more in inverse
  proportion to the board's area.
- On 9x9 a point was measured, and is worth less than by these rules: every other level of the
  ladder played against itself with komi 7 and with komi -7, 20 to 1000 games each in 30 seconds.
  The intervals are +-2 Elo a point around random play and +-8 at both ends.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from engine.games.table import Board
from engine.opponents.elo_grid import Grid

STONE_POINTS = 14.0
RANK_ELO = 100.0  # Elo of a handicap stone on 19x19
USUAL_AREA = 19 * 19
MOST_STONES = 30  # more stones are a midgame position


@dataclass(frozen=True, slots=True)
class Points:
    """The value of a point of Go on a board."""

    fair_komi: float  # points; the value of the first move
    # (mean strength of the two players, value of a point), both in Elo, the first rising.
    worth: tuple[tuple[float, float], ...]


MEASURED: dict[str, Points] = {  # by a board's name
    "go9": Points(3.0, ((0, 6), (400, 10), (900, 13), (1200, 18))),
}


@dataclass(frozen=True, slots=True)
class Advantage:
    """A player's advantage in Elo; it may be worth more between strong players than weak ones."""

    # (mean strength of the two players, advantage), both in Elo of the ladder, the first rising.
    points: tuple[tuple[float, float], ...] = ((0.0, 0.0),)

    def between(self, level_elo: float, strengths: Grid) -> Grid:
        """Returns [strengths] the advantage in Elo between a level and each strength."""
        elos, worths = zip(*self.points, strict=True)
        worth: Grid = np.interp((level_elo + strengths) / 2, elos, worths)
        return worth

    def turned(self) -> Advantage:
        """Returns the other player's advantage, the negative of this one."""
        return Advantage(tuple((elo, -worth) for elo, worth in self.points))


NOTHING = Advantage()
# White's bonus is a point for each handicap stone but so many, by the rules' names of it: Chinese
# rules have all of them, those of the AGA all but one.
SPARED = {"0": MOST_STONES, "N": 0, "N-1": 1}
# The advantage of the first move, by a board's name. Levels of the ladder played against themselves
# from the usual start, 20 to 1500 games each in 15 seconds, in Connect4 some against each other
# too. The lines go through the first player's score beyond the ladder's difference, known to
# +-20 Elo at the bottom and to +-150 at the top. No line rises by 2 Elo or more an Elo: otherwise
# the stronger player would seem to win less.
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
    white_bonus: str = "0",
) -> Advantage:
    """Returns the advantage of this color at the start of a game.

    setup: Black's handicap, as (color, move). komi: Go's; None: another game, without handicap.
    white_bonus: of the rules, a key of SPARED.
    """
    if komi is not None:
        bonus = max(len(setup) - SPARED[white_bonus], 0) if len(setup) > 1 else 0
        first = handicap(board, setup, first_to_move, komi + bonus)
    else:
        first = NOTHING if setup else FIRST_MOVE.get(board.name, NOTHING)
    return first if color == 0 else first.turned()


def handicap(
    board: Board, setup: Sequence[tuple[int, int]], first_to_move: int, komi: float
) -> Advantage:
    """Returns Black's advantage in Go."""
    if len(setup) > MOST_STONES or any(stone != 0 for stone, _ in setup):
        return NOTHING
    a_point = RANK_ELO / STONE_POINTS * USUAL_AREA / (board.width * board.height)
    known = MEASURED.get(board.name, Points(STONE_POINTS / 2, ((0.0, a_point),)))
    first_move = known.fair_komi * (1 if first_to_move == 0 else -1)
    points = STONE_POINTS * len(setup) + first_move - komi
    return Advantage(tuple((elo, points * worth) for elo, worth in known.worth))
