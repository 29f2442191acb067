"""Duplicate games: two games with equal chance in which the players change sides.

Chance that favours a side helps one player in the first game and hurts them in the second. The
results of the two games therefore have a negative correlation.
"""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
from numpy.typing import ArrayLike

from engine.match.tally import Z_95


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
        return float("nan"), float("nan")
    return -together / alone, Z_95 / float(np.sqrt(pairs))
