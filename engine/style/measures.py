"""Measures of naturalness and cost: of one move, and of one player over several games.

A move has a probability under a reference policy, a loss of value and a distance from the last
move; a player has means of these, with bootstrap intervals. engine.review computes the inputs. The
geometric mean probability, the share of moves below .05 and the distance to the last move are Shi
et al.'s (Position Control and Production of Various Strategies for Game of Go, JISE 37(3), 2021).

The loss of a move is the fall of its side's value. It may be below 0 after a misjudged position;
such errors cancel in the mean. A side leads with a value of LEADS or more. A reversal is a change
of the leader, a late one falls in the last fifth of a game. Intervals hold 95%. The bootstrap draws
whole games again, because the moves of one game are correlated.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

LEADS = 0.6  # a side with at least this value leads, 0..1
LATE = 0.2  # the last moves of a game, as a share of all
UNNATURAL = 0.05  # moves of a smaller probability count as unnatural
SMALLEST = 1e-4  # the least probability in the geometric mean; smaller ones count as this
RESAMPLES = 2000
ENDS = (2.5, 97.5)  # percentiles

Numbers = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class MoveMeasure:
    """One move of a player's own choice. None stands for an unknown number."""

    number: int  # number of the move in its game, from 1
    color: int
    move: int
    likely: float | None  # probability under the reference policy
    rank: int | None = None  # rank of that probability among the legal moves, from 1
    loss: float | None = None  # fall of its side's value, 0..1
    points: float | None = None  # fall of its side's score, in points
    distance: float | None = None  # distance to the previous move, in cells
    lead: float | None = None  # lead of its side before the move, in points


@dataclass(frozen=True, slots=True)
class GameMeasure:
    """The measured moves of one game."""

    moves: tuple[MoveMeasure, ...]
    reversals: tuple[int, ...] | None = None  # numbers of positions; None: not judged
    late: int | None = None  # the number of late reversals
    margin: float | None = None  # color 0's final score; None: not counted

    def of(self, color: int) -> tuple[MoveMeasure, ...]:
        """Returns the moves of one color."""
        return tuple(each for each in self.moves if each.color == color)


@dataclass(frozen=True, slots=True)
class MeanEstimate:
    """The mean of a measure with its 95% interval; one game alone gives no interval."""

    value: float
    interval: tuple[float, float] | None = None

    def text(self, form: str) -> str:
        """Returns the mean and its interval as text, each number by the format `form`.

        >>> MeanEstimate(0.25, (0.125, 0.5)).text(".1%")
        '25.0% (12.5%..50.0%)'
        """
        if self.interval is None:
            return f"{self.value:{form}}"
        low, high = self.interval
        return f"{self.value:{form}} ({low:{form}}..{high:{form}})"


def values_of(estimate: MeanEstimate | None) -> dict[str, Any]:
    """Returns the estimate as JSON values, with the same keys for an unknown one.

    >>> values_of(MeanEstimate(0.25)), values_of(None)["value"]
    ({'value': 0.25, 'interval': [None, None]}, None)
    """
    interval = None if estimate is None else estimate.interval
    return {
        "value": None if estimate is None else estimate.value,
        "interval": [None, None] if interval is None else list(interval),
    }


def interval_text(estimate: MeanEstimate | None, form: str) -> str:
    """Returns the estimate as text; an empty text for an unknown one."""
    return "" if estimate is None else estimate.text(form)


@dataclass(frozen=True, slots=True)
class Side:
    """The measures of one player over some games. None stands for a measure without any move."""

    moves: int
    natural: MeanEstimate | None  # geometric mean of the reference's probability of the moves
    unnatural: MeanEstimate | None  # the share of moves below UNNATURAL
    first: MeanEstimate | None  # the share of moves with the reference's highest probability
    loss: MeanEstimate | None  # value lost per move
    points: MeanEstimate | None  # points lost per move
    distance: MeanEstimate | None  # mean distance to the previous move

    def values(self) -> dict[str, Any]:
        """Returns all measures as JSON values."""
        return {"moves": self.moves} | {name: values_of(getattr(self, name)) for name in MEASURES}


@dataclass(frozen=True, slots=True)
class Measure:
    """One measure: the quantity of a move, and the function from its mean to the shown value."""

    of: Callable[[MoveMeasure], float | None]
    from_mean: Callable[[Numbers], Numbers] = np.asarray


MEASURES: dict[str, Measure] = {  # by the field of Side
    "natural": Measure(
        lambda move: None if move.likely is None else math.log(max(SMALLEST, move.likely)), np.exp
    ),
    "unnatural": Measure(
        lambda move: None if move.likely is None else float(move.likely < UNNATURAL)
    ),
    "first": Measure(lambda move: None if move.rank is None else float(move.rank == 1)),
    "loss": Measure(lambda move: move.loss),
    "points": Measure(lambda move: move.points),
    "distance": Measure(lambda move: move.distance),
}


def side_of(games: Sequence[Sequence[MoveMeasure]]) -> Side:
    """Measures a player by the moves of several games."""
    drawn = _drawn_again(len(games))
    means = {name: _mean(measure, games, drawn) for name, measure in MEASURES.items()}
    return Side(moves=sum(map(len, games)), **means)


def _mean(
    measure: Measure, games: Sequence[Sequence[MoveMeasure]], drawn: Numbers | None
) -> MeanEstimate | None:
    by_game = [
        [value for move in game if (value := measure.of(move)) is not None] for game in games
    ]
    sums = np.array([[math.fsum(values), len(values)] for values in by_game]).reshape(-1, 2)
    total, count = sums.sum(axis=0)
    if not count:
        return None
    value = float(measure.from_mean(np.array(total / count)))
    if drawn is None:
        return MeanEstimate(value)
    totals, counts = (drawn @ sums).T
    again = measure.from_mean(totals[counts > 0] / counts[counts > 0])
    return MeanEstimate(value, _ends(again))


def mean_of(values: Sequence[float]) -> MeanEstimate | None:
    """Returns the mean of one number per game; None without games."""
    return _over_games(values, np.mean)


def median_of(values: Sequence[float]) -> MeanEstimate | None:
    """Returns the median of one number per game; None without games."""
    return _over_games(values, np.median)


def _over_games(values: Sequence[float], summed: Callable[..., Any]) -> MeanEstimate | None:
    if not values:
        return None
    per_game = np.array(values, dtype=float)
    if len(values) == 1:
        return MeanEstimate(float(per_game[0]))
    picks = np.random.default_rng(0).integers(0, len(per_game), (RESAMPLES, len(per_game)))
    return MeanEstimate(float(summed(per_game)), _ends(summed(per_game[picks], axis=1)))


def _drawn_again(games: int) -> Numbers | None:
    """Draws of each game in each resample: [RESAMPLES, games]; None for one game."""
    if games < 2:
        return None
    rng = np.random.default_rng(0)
    return rng.multinomial(games, np.full(games, 1 / games), size=RESAMPLES).astype(float)


def _ends(again: Numbers) -> tuple[float, float]:
    low, high = np.percentile(again, ENDS)
    return float(low), float(high)


def distances(cells: Sequence[int | None], width: int) -> Iterator[float | None]:
    """Yields each move's Euclidean distance to the previous one; None beside a pass (no cell).

    >>> list(distances([0, 1, 9, None, 3], width=4))
    [None, 1.0, 2.0, None, None]
    """
    before: int | None = None
    for cell in cells:
        yield None if cell is None or before is None else distance(cell, before, width)
        before = cell


def distance(cell: int, other: int, width: int) -> float:
    """Returns the Euclidean distance between the centres of two cells, in cells."""
    (y, x), (v, u) = divmod(cell, width), divmod(other, width)
    return math.hypot(y - v, x - u)


def fall(series: Sequence[float], number: int, color: int) -> float:
    """Returns the loss of a move's own side, from a series of values of color 0."""
    change = series[number] - series[number + 1]
    return change if color == 0 else -change


def reversals(values: Sequence[float]) -> list[int]:
    """Returns the numbers of the positions at which the lead passed to the other side.

    >>> reversals([0.5, 0.7, 0.5, 0.3, 0.2, 0.9])
    [3, 5]
    """
    leads = [(number, value > 0.5) for number, value in enumerate(values) if led(value)]
    return [number for (_, before), (number, after) in pairwise(leads) if before != after]


def led(value: float) -> bool:
    """Tests whether either side leads."""
    return max(value, 1 - value) >= LEADS


def late(changes: Sequence[int], moves: int) -> int:
    """Counts the late reversals of a game with `moves` moves."""
    return sum(number > (1 - LATE) * moves for number in changes)
