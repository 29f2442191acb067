"""Duplicate games: two games with equal chance in which the players change sides.

Chance that favours a side helps one player in the first game and hurts them in the second. The
results of the two games therefore have a negative correlation.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from statistics import fmean

import numpy as np
from numpy.typing import ArrayLike

from engine.match.tally import Z_95


def mean_result(pairs: ArrayLike) -> tuple[float, float]:
    """Returns one player's mean result in duplicate games, and half of its 95% interval.

    pairs: [pairs, 2] the results in both games of a pair, 1 won, 0 drawn, -1 lost. A pair is one
    observation: chance common to both games leaves the interval. NaN without two pairs.

    >>> mean_result([(1, -1)] * 50)
    (0.0, 0.0)
    """
    means = np.asarray(pairs, dtype=np.float64).reshape(-1, 2).mean(axis=1)
    if len(means) < 2:
        return math.nan, math.nan
    return float(means.mean()), Z_95 * float(means.std(ddof=1) / np.sqrt(len(means)))


def distance_without_noise(results: Iterable[tuple[float, float]]) -> float:
    """Returns the root mean square of mean results, without what chance adds to their squares.

    results: for each opponent, a mean and half of its 95% interval. 0 where chance explains all;
    NaN without an opponent or an interval.

    >>> round(distance_without_noise([(0.5, 0.0), (-0.5, 0.0), (0.1, 0.9)]), 2)
    0.32
    """
    squares = [mean**2 - (half / Z_95) ** 2 for mean, half in results]
    return math.sqrt(max(fmean(squares), 0.0)) if squares else math.nan


def chance_share(meetings: Iterable[ArrayLike]) -> tuple[float, float]:
    """Returns the share of the results' variance that equal chance explains, and half its interval.

    meetings: for each two players, [pairs, 2] the first player's points in both games of a pair.
    The share is the negative correlation of the two games, pooled over the meetings; below 0, equal
    chance explains nothing. NaN without a variance.

    >>> share, half = chance_share([[(1, 0), (0, 1), (1, 1), (0, 0)] * 25])
    >>> round(share, 3), round(half, 3)
    (-0.0, 0.196)
    """
    together = alone = 0.0
    pairs = 0
    for meeting in meetings:
        points = np.asarray(meeting, dtype=np.float64).reshape(-1, 2)
        apart = points - points.mean() if len(points) else points
        together += float((apart[:, 0] * apart[:, 1]).sum())
        alone += float((apart**2).sum()) / 2
        pairs += len(points)
    if alone == 0:
        return math.nan, math.nan
    return -together / alone, Z_95 / float(np.sqrt(pairs))
