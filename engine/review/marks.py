"""The marks of bad moves, scaled to the player's level: inaccuracy, mistake, blunder.

A mark follows from the greater of two losses. The loss of win rate has Lichess's thresholds, .1, .2
and .3 of win chances from -1 to 1. The loss of points has KaTrain's thresholds of bad moves, 3, 6
and 12 points, times the level's factor. In Go the win rate is that of a game between two players of
the level, by the formula of engine.opponents.score_model: a lead of 10 points decides less between
weak players. LEVELS is the table of levels.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

import numpy as np

from engine.games.ranks import parse_rank
from engine.opponents import with_one_spread
from engine.values import Standing

# Thresholds of an inaccuracy, a mistake and a blunder.
WIN_RATE_LOSSES = (0.05, 0.1, 0.15)
POINT_LOSSES = (3.0, 6.0, 12.0)  # for 9 dan
LEAST_SHARE = 0.5  # of the first of POINT_LOSSES; a smaller loss is within the judge's error
DECIDED = 0.05  # with at most this win rate a game is decided
UNKNOWN_RANK = parse_rank("5k")  # level of players without a known rank
LOGISTIC_SHARE = 3 / np.pi**2  # squared scale of a logistic distribution by its variance


class MoveMark(StrEnum):
    """The mark of a bad move, the least bad first."""

    INACCURACY = "inaccuracy"
    MISTAKE = "mistake"
    BLUNDER = "blunder"


@dataclass(frozen=True, slots=True)
class LevelScale:
    """The scale of marks at one rank."""

    rank: float  # on the scale of engine.games.ranks
    factor: float  # on POINT_LOSSES
    spread: float  # points^2, of the final score by each open point


# The spreads are fitted to the results of 270 games on KGS, 45 in each of six groups of ranks, with
# leads by g170-b6c96 at 8 visits: the likelihood of the results is best at .05 to .3 for dan
# players, at 3 from 1k to 12k and at 6 from 13k to 20k. The factors are chosen.
LEVELS = (
    LevelScale(parse_rank("9d"), 1.0, 0.2),
    LevelScale(parse_rank("4d"), 1.0, 0.2),
    LevelScale(parse_rank("1d"), 1.25, 1.0),
    LevelScale(parse_rank("3k"), 1.5, 3.0),
    LevelScale(parse_rank("9k"), 1.75, 3.5),
    LevelScale(parse_rank("16k"), 2.25, 6.0),
    LevelScale(parse_rank("25k"), 3.0, 9.0),
)


def factor_of(rank: float) -> float:
    """Returns the factor on POINT_LOSSES at a rank."""
    return _interpolated(rank, [level.factor for level in LEVELS])


def win_rate_of(rank: float, lead: float, deviation: float, open_points: float) -> float:
    """Returns the win rate of a side with this lead in Go, between two players of the rank.

    lead, deviation: of the final score by a strong search, in points. open_points: number of
    points without a certain owner.
    """
    variance = _interpolated(rank, [level.spread for level in LEVELS])
    model = with_one_spread(LOGISTIC_SHARE * variance)
    standing = Standing(
        phase=0.0, win_rate=0.5, lead=lead, deviation=deviation, open_points=open_points
    )
    return float(model.steered_win_rates(np.zeros(1), standing)[0])


def badness(points: float | None, win_rates: tuple[float, float], factor: float) -> float:
    """Returns how bad a move is: 1 is an inaccuracy, 2 a mistake, 3 a blunder, with fractions.

    points: lost by the move; None: a game without points. win_rates: of its side before and after
    the move. factor: on POINT_LOSSES. A move in a decided game is an inaccuracy at most.
    """
    before, after = win_rates
    by_win_rate = _steps(before - after, WIN_RATE_LOSSES)
    if points is not None and points / factor < LEAST_SHARE * POINT_LOSSES[0]:
        return 0.0
    by_points = 0.0 if points is None else _steps(points / factor, POINT_LOSSES)
    is_decided = before <= DECIDED or after >= 1 - DECIDED
    most = 1.0 if is_decided else np.inf
    return max(by_win_rate, min(by_points, most))


def mark_of(badness: float) -> MoveMark | None:
    """Returns the mark of a move this bad; None for a move without one."""
    return None if badness < 1 else list(MoveMark)[min(int(badness), len(MoveMark)) - 1]


def _steps(loss: float, thresholds: tuple[float, ...]) -> float:
    """Returns the loss in thresholds: 1 at the first, linear between them and beyond the last."""
    first, second, third = thresholds
    if loss >= third:
        return 3 + (loss - third) / third
    return float(np.interp(loss, (0.0, first, second, third), (0.0, 1.0, 2.0, 3.0)))


def _interpolated(rank: float, values: list[float]) -> float:
    return float(np.interp(rank, [level.rank for level in LEVELS], values))
