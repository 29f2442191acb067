"""The target leads of a move: a range in points, and the weights of moves by their leads.

An ending sets the range. All leads belong to the side to move.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

MOST_DISLIKED = 3.0  # nats; the most that a lead far off the range takes from a move's logit


@dataclass(frozen=True, slots=True)
class Candidate:
    """A candidate move of an endgame."""

    move: int
    probability: float  # under the human policy
    lead: float  # the mover's expected lead after the move, in points


@dataclass(frozen=True, slots=True)
class TargetLeads:
    """The range of leads to reach by this move, in points."""

    low: float
    high: float
    gamma: float  # each point below the range divides a move's weight by gamma
    softness: float = 1.0  # this number of points above the range counts as one point below it

    def beyond(self, lead: float) -> float:
        """Returns a lead's distance from the range, in points below it; 0 within."""
        points = outside(lead, self.low, self.high)
        return points / self.softness if lead > self.high else points

    def weight(self, candidate: Candidate) -> float:
        """Returns the weight s of algorithm 1. The move of the greatest weight is played."""
        return candidate.probability * math.pow(self.gamma, -self.beyond(candidate.lead))

    def relative_weights(self, leads: Sequence[float]) -> NDArray[np.float64]:
        """Returns [n] float64 relative weights of moves with these leads, 1 for the nearest one.

        They follow `weight`, but by at most MOST_DISLIKED nats, for moves chosen by other reasons
        too.
        """
        beyond = np.array([self.beyond(lead) for lead in leads])
        steps = math.log(self.gamma) * (beyond - beyond.min())
        weights: NDArray[np.float64] = np.exp(-np.minimum(steps, MOST_DISLIKED))
        return weights


def outside(lead: float, low: float, high: float) -> float:
    """Returns a number's distance from low..high; 0 within.

    >>> outside(-12, -10, -4), outside(-7, -10, -4), outside(-1, -10, -4)
    (2, 0, 3)
    """
    return max(low - lead, lead - high, 0)
