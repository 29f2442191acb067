"""Elo against the softmax strength index: ratings by Bradley-Terry, and a line through them.

The input is the rows of a match between players with indices and thresholds. All intervals are 95%
intervals of the bootstrap: every pair's games are resampled. The figures for comparison are from Wu
et al., On Strength Adjustment for MCTS-Based Programs, AAAI 2019.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from engine.match.record import Row
from engine.match.summary import pair_of, side_of
from engine.util import elo

RESAMPLES = 200
UNSEEN = 0.5  # games of each result, added before a resample
PAPER_SPAN = 830.0  # Elo from z = -2 to z = 2
PAPER_ERROR = 48.0  # Elo, distance of the points from the line
PAPER_ENDS = (-983.0, -153.0)  # Elo against the full program at z = -2 and z = 2

Counts = NDArray[np.int64]  # [pairs, 3]: games won, drawn and lost by the pair's first player
Elos = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class IndexRung:
    """One player of the study: the full program if the index is None."""

    text: str
    index: float | None = None  # z
    threshold: float = 0.0  # R_th


@dataclass(frozen=True, slots=True)
class IndexPoint:
    """The strength at one index, relative to the full program."""

    index: float
    elo: float
    error: float  # half of the 95% interval


@dataclass(frozen=True, slots=True)
class Measured:
    """A number and half of its interval."""

    value: float
    error: float

    def __str__(self) -> str:
        return f"{self.value:.0f} +-{self.error:.0f}"

    def values(self) -> dict[str, float]:
        """Returns JSON values."""
        return {"value": self.value, "error": self.error}


@dataclass(frozen=True, slots=True)
class IndexCurve:
    """Elo against the index, with one threshold."""

    threshold: float
    points: tuple[IndexPoint, ...]  # points by rising index
    slope: Measured  # Elo a unit of the index
    at_zero: Measured  # Elo against the full program, by the line
    misses: float  # Elo, root mean square of the points' distances from the line
    span: Measured  # Elo from the lowest index to the highest

    def ends(self) -> tuple[tuple[float, float], tuple[float, float]]:
        """Returns the line's ends, as (index, Elo)."""
        low, high = self.points[0].index, self.points[-1].index
        at = self.at_zero.value
        return (low, at + self.slope.value * low), (high, at + self.slope.value * high)

    def values(self) -> dict[str, Any]:
        """Returns JSON values."""
        return {
            "threshold": self.threshold,
            "points": [
                {"index": point.index, "elo": point.elo, "error": point.error}
                for point in self.points
            ],
            "slope": self.slope.values(),
            "at_zero": self.at_zero.values(),
            "misses": self.misses,
            "span": self.span.values(),
        }


def rungs_of(indices: Sequence[float], thresholds: Sequence[float], full: str) -> list[IndexRung]:
    """Returns the players: by threshold every index in rising order, and the full program last."""
    rungs = [
        IndexRung(f"sparring:softmax:{index:g}:{threshold:g}", index, threshold)
        for threshold in thresholds
        for index in sorted(indices)
    ]
    return [*rungs, IndexRung(full)]


def pairs_of(rungs: Sequence[IndexRung]) -> tuple[tuple[int, int], ...]:
    """Returns the pairs: neighbours on one curve, and every player with the full program."""
    last = len(rungs) - 1
    beside = [
        (number, number + 1)
        for number in range(last - 1)
        if rungs[number].threshold == rungs[number + 1].threshold
    ]
    return (*beside, *((number, last) for number in range(last)))


def counts_of(rows: Sequence[Row]) -> Mapping[tuple[int, int], list[int]]:
    """Returns the games of each pair as won, drawn and lost by its first player."""
    place = {0: 0, None: 1, 1: 2}
    counted: dict[tuple[int, int], list[int]] = {}
    for row in rows:
        counted.setdefault(pair_of(row), [0, 0, 0])[place[side_of(row)]] += 1
    return counted


def curves(rungs: Sequence[IndexRung], rows: Sequence[Row]) -> list[IndexCurve]:
    """Returns the curves, one a threshold; raises ValueError if a player has no game."""
    counted = counts_of(rows)
    pairs, counts = list(counted), np.array(list(counted.values()), dtype=np.int64).reshape(-1, 3)
    if {player for pair in pairs for player in pair} != set(range(len(rungs))):
        raise ValueError("not every player has played")
    observed = against_full(len(rungs), pairs, counts)
    rng = np.random.default_rng(0)
    drawn = [against_full(len(rungs), pairs, _again(counts, rng)) for _ in range(RESAMPLES)]
    again = np.array(drawn)  # [RESAMPLES, rungs]
    thresholds = dict.fromkeys(rung.threshold for rung in rungs[:-1])
    return [_curve(threshold, rungs, observed, again) for threshold in thresholds]


def against_full(players: int, pairs: Sequence[tuple[int, int]], counts: Counts) -> Elos:
    """Returns [players] every player's Elo; the last one's is 0."""
    met = [
        elo.Meeting(*pair, float(won + drew / 2), int(won + drew + lost))
        for pair, (won, drew, lost) in zip(pairs, counts, strict=True)
    ]
    try:
        ratings = elo.fit(players, met)
    except elo.UnboundedError:  # another draw of each pair keeps them finite
        ratings = elo.fit(players, met, prior_draws=1.0)
    counted: Elos = np.array([rating.elo for rating in ratings])
    counted -= counted[-1]
    return counted


def _again(counts: Counts, rng: np.random.Generator) -> Counts:
    """Returns resampled games; an absent result counts as half a game in all."""
    likely = (counts + UNSEEN) / (counts + UNSEEN).sum(axis=1, keepdims=True)
    drawn = [
        rng.multinomial(n, shares) for n, shares in zip(counts.sum(axis=1), likely, strict=True)
    ]
    return np.array(drawn, dtype=np.int64)


def _curve(threshold: float, rungs: Sequence[IndexRung], observed: Elos, again: Elos) -> IndexCurve:
    mine = [number for number, rung in enumerate(rungs[:-1]) if rung.threshold == threshold]
    indices = np.array([rungs[number].index for number in mine], dtype=float)
    errors = half_interval(again[:, mine])
    # No Elo is exact: a point without an error by chance must not get all the weight.
    weights = 1 / np.maximum(errors, 1.0)
    slope, at_zero = np.polyfit(indices, observed[mine], 1, w=weights)
    lines = np.array([np.polyfit(indices, drawn, 1, w=weights) for drawn in again[:, mine]])
    off = observed[mine] - (at_zero + slope * indices)
    span = again[:, mine[-1]] - again[:, mine[0]]
    return IndexCurve(
        threshold=threshold,
        points=tuple(
            IndexPoint(float(index), float(value), float(error))
            for index, value, error in zip(indices, observed[mine], errors, strict=True)
        ),
        slope=Measured(float(slope), float(half_interval(lines[:, 0]))),
        at_zero=Measured(float(at_zero), float(half_interval(lines[:, 1]))),
        misses=float(np.sqrt((off**2).mean())),
        span=Measured(float(observed[mine[-1]] - observed[mine[0]]), float(half_interval(span))),
    )


def half_interval(drawn: Elos) -> Elos:
    """Returns half of the 95% interval of the values, along the first axis."""
    low, high = np.percentile(drawn, [2.5, 97.5], axis=0)
    half: Elos = (high - low) / 2
    return half
