"""Doubt about a position: how far two cheap networks disagree about its score.

The judgement of a dear teacher is worth most where a cheap network errs. Two networks of different
origin seldom err alike; most of their great disagreements are about the life of groups.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from engine.training.go.positions import PositionRows
from engine.training.go.samples import LEAD, POINTS, Network, label

LEAST_POINTS = 7.0  # of disagreement; with less a position is as good as sure
CERTAIN_POINTS = 20.0  # with so many a position is judged for certain
SURE_SHARE = 0.05  # of the sure positions that are judged all the same
# A point of ownership counts less than one of the lead: two owners of a dead group differ by two.
OWNERSHIP_WEIGHT = 0.3


@dataclass(frozen=True, slots=True)
class Doubt:
    """Two cheap networks, the doubters."""

    first: Network
    second: Network

    def points(self, rows: PositionRows) -> NDArray[np.float64]:
        """Returns [n] the disagreement about each position, in points of the score."""
        (first, _), (second, _) = (
            label(network, rows, [0]) for network in (self.first, self.second)
        )
        leads = (first.scores[:, LEAD] - second.scores[:, LEAD]).abs() * POINTS
        owners = (first.ownership.float() - second.ownership.float()).abs().sum(dim=1)
        points: NDArray[np.float64] = (
            leads.maximum(OWNERSHIP_WEIGHT * owners).cpu().double().numpy()
        )
        return points

    def chances(self, rows: PositionRows) -> NDArray[np.float64]:
        """Returns [n] the chance of each position to be judged."""
        points = self.points(rows)
        doubtful = np.minimum(points / CERTAIN_POINTS, 1.0)
        chances: NDArray[np.float64] = np.where(points < LEAST_POINTS, SURE_SHARE, doubtful)
        return chances
