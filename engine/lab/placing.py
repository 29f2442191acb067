"""The strangers' places on the ladder: the truth for the estimates.

Each stranger plays levels of the ladder, two games at a time from an opening of both sides, the
next two against the level nearest to the estimate so far. The input is the rows of a match with
pairs (stranger, level), and the ends of the ladder.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from engine.match.game_spec import GameSpec
from engine.match.match import Schedule, seeds_of, start_of
from engine.match.record import Row
from engine.match.summary import pair_of, side_of
from engine.match.workers import Pairing, Series
from engine.opponents import Posterior
from engine.strength.rating_ladder import RatingLadder

STEP_ELO = 100  # Elo between the levels for strangers
OPEN_ELO = 2000.0  # deviation of the prior: almost flat
MOST_GAMES = 100_000  # the most games of one stranger, for the numbers of games


@dataclass(frozen=True, slots=True)
class LadderPlace:
    """A player's place, in Elo of the ladder."""

    elo: float
    interval: tuple[float, float]
    games: int  # 0 for a place that was given

    @property
    def error(self) -> float:
        """Half of the interval."""
        return (self.interval[1] - self.interval[0]) / 2

    def values(self) -> dict[str, object]:
        """Returns JSON values."""
        return {"elo": self.elo, "interval": list(self.interval), "games": self.games}


def levels_of(ladder: RatingLadder) -> list[int]:
    """Returns the Elo of the levels for strangers, rising, with the ladder's ends."""
    lowest, highest = math.ceil(ladder.lowest), math.floor(ladder.highest)
    first = -(-lowest // STEP_ELO) * STEP_ELO
    inner = [elo for elo in range(first, highest + 1, STEP_ELO) if lowest < elo < highest]
    return [lowest, *inner, highest]


@dataclass(frozen=True, slots=True)
class Placing:
    """The games that place strangers: players are numbered strangers first, then levels."""

    ladder: RatingLadder
    levels: tuple[int, ...]  # Elo of the levels, rising
    strangers: int
    games: int  # games of each stranger

    def place(self, rows: Sequence[Row]) -> LadderPlace:
        """Returns a stranger's place by its games."""
        posterior = Posterior.of_stranger(
            self.ladder.lowest, self.ladder.highest, deviation_elo=OPEN_ELO
        )
        points = {0: 1.0, None: 0.5, 1: 0.0}
        for row in rows:
            level = self.levels[pair_of(row)[1] - self.strangers]
            posterior = posterior.after_results(level, points[side_of(row)])
        return LadderPlace(posterior.mean, posterior.interval(), len(rows))

    def series(
        self, schedule: Schedule, board: GameSpec, stranger: int, rows: Sequence[Row]
    ) -> Series:
        """Returns the series of one stranger; rows: all of the record."""
        played = self.of(stranger, rows)
        return Series(lambda known: self._next(schedule, board, stranger, known), tuple(played))

    def of(self, stranger: int, rows: Sequence[Row]) -> list[Row]:
        """Returns the stranger's games, in their order."""
        mine = [row for row in rows if pair_of(row)[0] == stranger]
        return sorted(mine, key=lambda row: int(row["game"]))

    def _next(
        self, schedule: Schedule, board: GameSpec, stranger: int, rows: Sequence[Row]
    ) -> Pairing | None:
        turn = len(rows)
        if turn == self.games:
            return None
        if turn % 2:
            pair = pair_of(rows[-1])  # the same opening from the other side
        else:
            estimate = self.place(rows).elo
            nearest = min(self.levels, key=lambda elo: abs(elo - estimate))
            pair = (stranger, self.strangers + self.levels.index(nearest))
        number = stranger * MOST_GAMES + turn
        start = start_of(schedule, board, turn)
        return Pairing(number, pair, pair[turn % 2], start, seeds_of(schedule.seed, number))
