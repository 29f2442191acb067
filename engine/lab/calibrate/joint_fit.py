"""Ratings of a round's rungs by the games of all rounds.

Rungs of earlier rounds lie between rungs of the last one on the settings curve. Their Elo is
interpolated there: such a rung counts as a mixture of its two neighbours.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from engine.lab.calibrate.round import CalibrationRound
from engine.util.elo import Rating, fit_mixtures

Numbers = NDArray[np.float64]


def joint_ratings(rounds: Sequence[CalibrationRound]) -> list[Rating]:
    """Returns the Elo of the last round's rungs from random play, with 95% intervals."""
    places = rounds[-1].places
    design, points, games = [], [], []
    for each in rounds:
        shares = _interpolation(np.array(each.places), np.array(places))
        for meeting in each.meetings():
            design.append(shares[meeting.first] - shares[meeting.second])
            points.append(meeting.points)
            games.append(float(meeting.games))
    return fit_mixtures(
        np.array(design),
        np.array(points),
        np.array(games),
        anchor=places.index(0.0),
        unbiased=True,
    )


def _interpolation(at: Numbers, places: Numbers) -> Numbers:
    """Returns [at, places] the weights of the places in a linear interpolation."""
    columns = [np.interp(at, places, unit) for unit in np.eye(len(places))]
    return np.array(columns).T
