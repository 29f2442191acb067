"""The margin model: the final margin of a game of Go that was kept even, by both strengths.

    margin ~ logistic(location, scale), or in LOST_GROUP of the games uniform for the winner,
             or in SAFE of them exponential for the winner, with the mean THEIR_WIN or OUR_WIN
    location = scale * share * log odds of a win at the start, against strength - gain
    scale^2 = spread(class) * open points at the start, times SKEW for our wins, else divided by it

A logistic margin above 0 has the chance 1 / (1 + exp(-location / scale)), as the winner of the
other games has: the margin refines the result, and a result without a margin keeps its chance. A
logistic margin near 0 moves a belief towards the level that was played, and a great one moves it no
further than share / POINTS_PER_LOG_ODDS log odds an Elo. The margin of another game tells the
winner alone. A great margin is mostly one lost group, seldom a wrong level. Our wins are greater
than the opponent's: a level that is behind plays better, an opponent that is behind does not, and
programs that maximize their chance win safely, by little.

A level that keeps a game even is stronger than the same level in other games: it leaves out great
mistakes, and plays better while it is behind. gain is the difference in Elo, by the class of the
opponent: a player who makes great mistakes loses more by them. A game kept even also tells less of
the strengths than another game: share is the weight of its log odds. spread is by the class of our
level. The tables are fitted to games kept even against levels
(engine.training.opponents.margin_model); the gain of the bundled ladder of 13x13 then to games with
programs and random play, that of 9x9 to games with programs, levels and random play. A class is a
place on the ladder, from 0 at random play to 1 at the ladder's highest. The margins do not tell
gain_deviation: it is the one with which the intervals of replayed series hold.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from engine.opponents.elo_grid import Grid
from engine.util.elo import log_likelihood_of
from engine.values import Standing

LEAST_SETTLED = 1e-6  # points of any turn
LEAST_OPEN = 1.0  # points at the start
SKEW = 2.0  # in the middle, our margins over the opponent's
# The shares of games whose margins tell the winner alone.
LOST_GROUP = 0.2  # a lost group decides the game, by any margin
SAFE = 0.2  # the winner plays safe
THEIR_WIN = 5.0  # points, the mean margin of the opponent's safe wins
OUR_WIN = 0.115  # open points at the start, the mean margin of ours
WIDEST = 1.25  # the greatest margin, in open points at the start
CLASSES = np.array([0.0, 0.25, 0.375, 0.5, 0.625, 0.75, 1.0])  # knots of both tables


@dataclass(frozen=True, slots=True, eq=False)
class MarginModel:
    """The fitted tables."""

    share: float  # weight of the log odds of the start, above 0
    gain: NDArray[np.float64]  # [classes of the opponent] Elo
    spread: NDArray[np.float64]  # [classes of our level] points^2 an open point, above 0
    gain_deviation: float = 0.0  # of the gain, from one opponent of a class to another, in Elo

    def __post_init__(self) -> None:
        """Raises ValueError on tables of wrong shapes or bad values."""
        if (self.gain.shape, self.spread.shape) != (CLASSES.shape, CLASSES.shape):
            raise ValueError(f"tables of {self.gain.shape} and {self.spread.shape}")
        if not np.isfinite([self.share, *self.gain, *self.spread]).all():
            raise ValueError("a table is not finite")
        if self.share <= 0 or (self.spread <= 0).any():
            raise ValueError("the share or a variance is not above 0")
        if not 0 <= self.gain_deviation < math.inf:
            raise ValueError(f"a deviation of the gain of {self.gain_deviation}")

    def gain_at(self, ranks: Grid) -> Grid:
        """Returns [ranks] the gain of a level against opponents of these ranks, in Elo."""
        return np.interp(ranks, CLASSES, self.gain)

    def log_likelihood(
        self, log_odds: Grid, margin: float, rank: float, open_points: float
    ) -> Grid:
        """Returns [strengths] the log density of our margin, in points.

        log_odds: [strengths] of our win at the start. rank: of our level. open_points: at the
        start.
        """
        still_open = max(open_points, LEAST_OPEN)
        scale = sided(np.sqrt(np.interp(rank, CLASSES, self.spread) * still_open), margin)
        densities = log_densities(margin, self.share * log_odds, scale, still_open)
        likelihood: Grid = np.logaddexp(*densities)
        return likelihood

    def result_log_likelihood(self, log_odds: Grid, points: float) -> Grid:
        """Returns [strengths] the log likelihood of our points, 1, 0.5 or 0, without a margin."""
        return log_likelihood_of(self.share * log_odds, points)

    def to_json(self) -> dict[str, Any]:
        """Returns the tables as JSON values; from_json reads them."""
        return {
            "classes": CLASSES.tolist(),
            "share": round(self.share, 4),
            "gain": np.round(self.gain, 1).tolist(),
            "spread": np.round(self.spread, 4).tolist(),
            "gain_deviation": round(self.gain_deviation, 1),
        }

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Self:
        """Reads the values of to_json. Raises ValueError, TypeError or KeyError on others.

        Earlier tables name no classes; their gain was by our level, and the guess replaces them.
        """
        if "classes" not in data:
            return cls.from_json(guessed().to_json())
        return cls(
            share=float(data["share"]),
            gain=np.asarray(data["gain"], dtype=np.float64),
            spread=np.asarray(data["spread"], dtype=np.float64),
            gain_deviation=float(data.get("gain_deviation", 0.0)),
        )


def sided(scales: Grid | float, margins: Grid | float) -> Grid:
    """Returns [games] the scales of the margins' own sides, in points; margins: ours."""
    scaled: Grid = scales * np.where(np.asarray(margins) < 0, SKEW**-0.5, SKEW**0.5)
    return scaled


def log_densities(
    margins: Grid | float, log_odds: Grid, scales: Grid | float, still_open: Grid | float
) -> tuple[Grid, Grid]:
    """Returns the log densities of margins by play and by the winner; together they are all.

    All arrays are [games] or [strengths], or one number. margins: ours, in points. log_odds: of our
    win in a game kept even. scales: of the logistic distribution, by `sided`, in points.
    still_open: points at the start.
    """
    apart = np.abs(margins / scales - log_odds)
    by_play: Grid = np.log(1 - LOST_GROUP - SAFE) - apart - 2 * np.log1p(np.exp(-apart))
    by_play = by_play - np.log(scales)
    won = -np.logaddexp(0.0, -np.sign(margins) * log_odds)
    span = WIDEST * np.asarray(still_open)
    mean = np.where(np.asarray(margins) < 0, THEIR_WIN, OUR_WIN * np.asarray(still_open))
    lost_group = np.where(np.abs(margins) <= span, LOST_GROUP / span, 0.0)
    by_winner: Grid = won + np.log(lost_group + SAFE / mean * np.exp(-np.abs(margins) / mean))
    return by_play, by_winner


def game_level(levels: Sequence[float], standings: Sequence[Standing]) -> float:
    """Returns a game's level: the mean of the turns' levels in Elo.

    Each counts by the points that got an owner until the next turn. levels, standings: [turns], one
    or more.
    """
    still_open = np.array([standing.open_points for standing in standings])
    settled = np.maximum(still_open - np.append(still_open[1:], 0.0), 0.0) + LEAST_SETTLED
    return float(settled @ np.asarray(levels) / settled.sum())


def guessed() -> MarginModel:
    """Returns a guess for a ladder without games kept even: about the fit to 9x9."""
    return MarginModel(
        share=0.4,
        gain=np.array([250.0, 300.0, 500.0, 550.0, 320.0, 200.0, 130.0]),
        spread=np.array([1.5, 0.8, 3.0, 3.0, 1.4, 0.8, 0.6]),
    )
