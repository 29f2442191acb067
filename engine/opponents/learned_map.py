"""Learning the map from a server's ratings to a ladder, from the opponents met so far.

Each opponent i has a rating of the Elo x_i with the deviation D_i, and the strength e_i with the
variance v_i by our games alone. The line is a regression with known noise:

    e_i ~ 0.95 N(m_i, V_i) + 0.05 N(m_i, V_i + 600^2)
    m_i = offset + slope * (x_i - centre), V_i = v_i + slope^2 D_i^2 + spread^2

The tail, the same as a prior's, counts cheaters and wrongly linked accounts for little. Slope and
spread lie on a grid; for each pair the offset has a closed form by iterated weights, and the tail
another share than 0.05 where the opponents show it.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from engine.opponents.rating_map import TAIL_SHARE, LearnedMap, RatingMap
from engine.opponents.rating_prior import TAIL_ELO

ROUNDS = 8  # iterations of the weights
TAIL_OPPONENTS = 20.0  # the tail's usual share counts as so many opponents
SLOPES = 15  # points of the grid, over 3 deviations to both sides
SPREAD_DEVIATION = 150.0  # Elo, of the half-normal prior of the spread
SPREADS = np.linspace(10.0, 490.0, 13)  # Elo, points of the grid
LEAST_SLOPE = 0.1

Values = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class RatedStrength:
    """One opponent: its rating in Elo, and its strength by our games alone."""

    elo: float  # of the rating at the first meeting
    deviation: float  # of the rating, in Elo
    strength: float  # mean of the likelihood by our games, Elo of the ladder
    strength_deviation: float  # of that likelihood


def learned_map(first: RatingMap, opponents: Sequence[RatedStrength]) -> LearnedMap:
    """Returns the map after these opponents; first: the map before any, the prior of the line."""
    slopes, spreads = _grid(first)
    x = np.array([each.elo for each in opponents]) - first.centre
    noise = np.array([each.strength_deviation for each in opponents]) ** 2
    rated = np.array([each.deviation for each in opponents]) ** 2
    strengths = np.array([each.strength for each in opponents])
    # [slopes, spreads, opponents]
    residuals = (strengths - slopes[:, None, None] * x) + np.zeros((1, len(spreads), 1))
    variances = noise + slopes[:, None, None] ** 2 * rated + spreads[None, :, None] ** 2
    offsets, errors, log_likelihood, tails = _fitted(first, residuals, variances)
    log_prior = _log_prior(first, slopes, spreads)
    weights = np.exp(log_likelihood + log_prior - (log_likelihood + log_prior).max())
    weights /= weights.sum()
    offset, offset_deviation = _mixed(weights, offsets, errors)
    slope, slope_deviation = _mixed(weights, slopes[:, None] + 0 * offsets, 0 * errors)
    spread, spread_deviation = _mixed(weights, spreads[None, :] + 0 * offsets, 0 * errors)
    line = RatingMap(first.centre, offset, slope, offset_deviation, slope_deviation)
    tail_share = float((weights * tails).sum())
    return LearnedMap(line, spread, spread_deviation, len(opponents), tail_share)


def _grid(first: RatingMap) -> tuple[Values, Values]:
    """Returns the slopes [slopes] and the spreads [spreads] of the grid."""
    reach = 3 * first.slope_deviation
    slopes = np.linspace(first.slope - reach, first.slope + reach, SLOPES if reach else 1)
    return np.maximum(slopes, LEAST_SLOPE), SPREADS


def _fitted(first: RatingMap, residuals: Values, variances: Values) -> tuple[Values, ...]:
    """Returns the offsets, their variances, the log likelihoods and the shares of the tail.

    Each is [slopes, spreads].

    residuals, variances: [slopes, spreads, opponents].
    """
    own = max(first.offset_deviation, 1.0) ** 2
    weights = 1 / variances
    wide, tails = variances + TAIL_ELO**2, np.full(residuals.shape[:2], TAIL_SHARE)
    for _ in range(ROUNDS):
        total = 1 / own + weights.sum(axis=2)
        offsets = (first.offset / own + (weights * residuals).sum(axis=2)) / total
        apart = (residuals - offsets[:, :, None]) ** 2
        body = np.log1p(-tails)[:, :, None] - 0.5 * (apart / variances + np.log(variances))
        tail = np.log(tails)[:, :, None] - 0.5 * (apart / wide + np.log(wide))
        likelihood = np.logaddexp(body, tail)
        in_body = np.exp(body - likelihood)  # the probability of the mixture's first part
        weights = in_body / variances + (1 - in_body) / wide
        in_tail = TAIL_SHARE * TAIL_OPPONENTS + (1 - in_body).sum(axis=2)
        tails = in_tail / (TAIL_OPPONENTS + residuals.shape[2])
    total = 1 / own + weights.sum(axis=2)
    log_likelihood = likelihood.sum(axis=2) - 0.5 * (offsets - first.offset) ** 2 / own
    log_likelihood += TAIL_OPPONENTS * (
        TAIL_SHARE * np.log(tails) + (1 - TAIL_SHARE) * np.log1p(-tails)
    )
    return offsets, 1 / total, log_likelihood - 0.5 * np.log(total), tails


def _log_prior(first: RatingMap, slopes: Values, spreads: Values) -> Values:
    """Returns [slopes, spreads] the log density of the grid before any game."""
    deviation = first.slope_deviation or 1.0
    of_slope = -0.5 * ((slopes - first.slope) / deviation) ** 2
    of_spread = -0.5 * (spreads / SPREAD_DEVIATION) ** 2
    density: Values = of_slope[:, None] + of_spread[None, :]
    return density


def _mixed(weights: Values, means: Values, variances: Values) -> tuple[float, float]:
    """Returns the mean and the deviation of a mixture; all [slopes, spreads]."""
    mean = float((weights * means).sum())
    variance = float((weights * (variances + (means - mean) ** 2)).sum())
    return mean, math.sqrt(variance)
