"""Ratings of a round's rungs by the games of all rounds.

Rungs of earlier rounds lie between rungs of the last one on the settings curve, and their Elo is
interpolated there. The model is Bradley and Terry's, as in engine.util.elo.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from engine.lab.calibrate.round import PRIOR_DRAWS, CalibrationRound
from engine.util.elo import POINTS_PER_LOG_ODDS, Z_95, Rating

MOST_STEPS = 100
SMALLEST_STEP = 1e-9  # log odds
LONGEST_STEP = 2.0  # log odds
Numbers = NDArray[np.float64]


def joint_ratings(rounds: Sequence[CalibrationRound]) -> list[Rating]:
    """Returns the Elo of the last round's rungs from random play, with 95% intervals."""
    places = np.array(rounds[-1].places)
    zero = rounds[-1].places.index(0.0)
    rows, points, games = [], [], []
    for each in rounds:
        weights = _interpolation(np.array(each.places), places)
        for meeting in each.meetings():
            rows.append(weights[meeting.first] - weights[meeting.second])
            points.append(meeting.points + PRIOR_DRAWS / 2)
            games.append(meeting.games + PRIOR_DRAWS)
    free = [rung for rung in range(len(places)) if rung != zero]
    design = np.array(rows)[:, free]
    log_odds, covariances = _fit(design, np.array(points), np.array(games))
    errors = Z_95 * np.sqrt(np.diag(covariances))
    found = zip(log_odds.tolist(), errors.tolist(), strict=True)
    ratings = [Rating(odds * POINTS_PER_LOG_ODDS, e * POINTS_PER_LOG_ODDS) for odds, e in found]
    return [*ratings[:zero], Rating(0.0, 0.0), *ratings[zero:]]


def _interpolation(at: Numbers, places: Numbers) -> Numbers:
    """Returns [at, places] the weights of the places in a linear interpolation."""
    columns = [np.interp(at, places, unit) for unit in np.eye(len(places))]
    return np.array(columns).T


def _fit(design: Numbers, points: Numbers, games: Numbers) -> tuple[Numbers, Numbers]:
    """Returns the likeliest log odds, [rungs], and their covariances, by Newton's method.

    design: [meetings, rungs]; a meeting's log odds are its product with the rungs'.
    """
    log_odds: Numbers = np.zeros(design.shape[1])
    covariances: Numbers = np.zeros((design.shape[1], design.shape[1]))
    for _ in range(MOST_STEPS):
        expected = 1 / (1 + np.exp(-(design @ log_odds)))
        information = design.T @ (design * (games * expected * (1 - expected))[:, None])
        covariances = np.linalg.pinv(information, hermitian=True).astype(np.float64)
        step = covariances @ (design.T @ (points - games * expected))
        longest = float(np.abs(step).max(initial=0.0))
        log_odds = log_odds + step * min(1.0, LONGEST_STEP / max(longest, SMALLEST_STEP))
        if not math.isfinite(longest) or longest < SMALLEST_STEP:
            break
    return log_odds, covariances
