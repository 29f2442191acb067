"""How natural moves look and what they cost, in numbers: of a move, of a player over some games.

Knows a move's probability under a reference policy, by how much it lowered its side's value, how
far from the last move it was; means of those and what chance alone may have done to them. Does not
know positions, networks or searches. The geometric mean probability and the share of moves below
.05 are Shi et al.'s (Position Control and Production of Various Strategies for Game of Go, JISE
37(3), 2021), and so is the distance to the last move.

A move's loss is what its side's value falls by; it may be below 0 where the judge had not seen how
good a move was, and such errors cancel in the mean. Somebody leads with a value of LEADS or more;
reversals are changes of who leads, late ones those in the last fifth of a game. Intervals hold 95%:
they are the bootstrap's, of games drawn again, for moves of one game hang together.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

LEADS = 0.6  # of a value, 0..1
LATE = 0.2  # the share of a game's moves that are its last ones
UNNATURAL = 0.05  # below it a move's probability counts as unnatural
SMALLEST = 1e-4  # probabilities below it count as this in the geometric mean
RESAMPLES = 2000
ENDS = (2.5, 97.5)  # percentiles

Numbers = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class MoveMeasure:
    """One move that was its player's own choice. None where nothing tells."""

    number: int  # in its game, from 1
    color: int
    move: int
    likely: float | None  # probability under the reference policy
    rank: int | None = None  # of that probability among the legal moves, from 1
    loss: float | None = None  # of its side's value, 0..1
    points: float | None = None  # lost, of its side's score
    distance: float | None = None  # to the move before, in cells


@dataclass(frozen=True, slots=True)
class GameMeasure:
    """One game."""

    moves: tuple[MoveMeasure, ...]
    reversals: tuple[int, ...] | None = None  # numbers of positions; None: nobody judged it
    late: int | None = None  # how many of them are late ones
    margin: float | None = None  # color 0's final score; None where nobody counted it

    def of(self, color: int) -> tuple[MoveMeasure, ...]:
        """One color's moves."""
        return tuple(each for each in self.moves if each.color == color)


@dataclass(frozen=True, slots=True)
class MeanEstimate:
    """A measure with the interval that its games leave it; of a single game without."""

    value: float
    interval: tuple[float, float] | None = None

    def text(self, form: str) -> str:
        """For people, each number in that form.

        >>> MeanEstimate(0.25, (0.125, 0.5)).text(".1%")
        '25.0% (12.5%..50.0%)'
        """
        if self.interval is None:
            return f"{self.value:{form}}"
        low, high = self.interval
        return f"{self.value:{form}} ({low:{form}}..{high:{form}})"


def values_of(estimate: MeanEstimate | None) -> dict[str, Any]:
    """As JSON values, the same ones whatever is known.

    >>> values_of(MeanEstimate(0.25)), values_of(None)["value"]
    ({'value': 0.25, 'interval': [None, None]}, None)
    """
    interval = None if estimate is None else estimate.interval
    return {
        "value": None if estimate is None else estimate.value,
        "interval": [None, None] if interval is None else list(interval),
    }


def interval_text(estimate: MeanEstimate | None, form: str) -> str:
    """For people; nothing where nothing is known."""
    return "" if estimate is None else estimate.text(form)


@dataclass(frozen=True, slots=True)
class Side:
    """How one player played some games. None where no move of theirs tells."""

    moves: int
    natural: MeanEstimate | None  # geometric mean of the reference's probability of the moves
    unnatural: MeanEstimate | None  # the share of moves below UNNATURAL
    first: MeanEstimate | None  # the share of moves that were the reference's likeliest
    loss: MeanEstimate | None  # of value, a move
    points: MeanEstimate | None  # lost a move
    distance: MeanEstimate | None  # mean, to the move before

    def values(self) -> dict[str, Any]:
        """As JSON values."""
        return {"moves": self.moves} | {name: values_of(getattr(self, name)) for name in MEASURES}


@dataclass(frozen=True, slots=True)
class Measure:
    """A mean over moves: of what, and how the mean is told."""

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
    """How somebody played: their moves, game by game."""
    drawn = _drawn_again(len(games))
    means = {name: _mean(measure, games, drawn) for name, measure in MEASURES.items()}
    return Side(moves=sum(map(len, games)), **means)


def _mean(
    measure: Measure, games: Sequence[Sequence[MoveMeasure]], drawn: Numbers | None
) -> MeanEstimate | None:
    found = [[value for move in game if (value := measure.of(move)) is not None] for game in games]
    sums = np.array([[math.fsum(values), len(values)] for values in found]).reshape(-1, 2)
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
    """The mean of a number that each game has; None without games."""
    return _over_games(values, np.mean)


def median_of(values: Sequence[float]) -> MeanEstimate | None:
    """The median of a number that each game has; None without games."""
    return _over_games(values, np.median)


def _over_games(values: Sequence[float], summed: Callable[..., Any]) -> MeanEstimate | None:
    if not values:
        return None
    found = np.array(values, dtype=float)
    if len(values) == 1:
        return MeanEstimate(float(found[0]))
    picks = np.random.default_rng(0).integers(0, len(found), (RESAMPLES, len(found)))
    return MeanEstimate(float(summed(found)), _ends(summed(found[picks], axis=1)))


def _drawn_again(games: int) -> Numbers | None:
    """[RESAMPLES, games], how often each game was drawn; None where there is but one."""
    if games < 2:
        return None
    rng = np.random.default_rng(0)
    return rng.multinomial(games, np.full(games, 1 / games), size=RESAMPLES).astype(float)


def _ends(again: Numbers) -> tuple[float, float]:
    low, high = np.percentile(again, ENDS)
    return float(low), float(high)


def distances(cells: Sequence[int | None], width: int) -> Iterator[float | None]:
    """Of each move, the Euclidean distance to the one before; None where one is no cell (passes).

    >>> list(distances([0, 1, 9, None, 3], width=4))
    [None, 1.0, 2.0, None, None]
    """
    before: int | None = None
    for cell in cells:
        yield None if cell is None or before is None else distance(cell, before, width)
        before = cell


def distance(cell: int, other: int, width: int) -> float:
    """Between two cells' middles."""
    (y, x), (v, u) = divmod(cell, width), divmod(other, width)
    return math.hypot(y - v, x - u)


def fall(series: Sequence[float], number: int, color: int) -> float:
    """By how much a move lowered its color's side of a series of color 0's."""
    change = series[number] - series[number + 1]
    return change if color == 0 else -change


def reversals(values: Sequence[float]) -> list[int]:
    """The numbers of the positions at which the lead had come to the other side.

    >>> reversals([0.5, 0.7, 0.5, 0.3, 0.2, 0.9])
    [3, 5]
    """
    leads = [(number, value > 0.5) for number, value in enumerate(values) if led(value)]
    return [number for (_, before), (number, after) in pairwise(leads) if before != after]


def led(value: float) -> bool:
    """Whether somebody leads."""
    return max(value, 1 - value) >= LEADS


def late(changes: Sequence[int], moves: int) -> int:
    """How many reversals of a game with so many moves are late ones."""
    return sum(number > (1 - LATE) * moves for number in changes)
