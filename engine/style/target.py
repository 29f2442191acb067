"""The range of leads to bring about with a move, and the weights of moves by it.

Knows numbers, from the view of the side to move. An ending sets the range.
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
    probability: float  # by the reference policy
    lead: float  # points, expected after the move, for its own side


@dataclass(frozen=True, slots=True)
class Target:
    """The leads to bring about with this move, in points."""

    low: float
    high: float
    gamma: float  # the factor by which each point below the range lowers a move's weight
    softness: float = 1.0  # points above the range that count as one below it

    def beyond(self, lead: float) -> float:
        """Returns a lead's distance from the range, in points below it; 0 within."""
        points = outside(lead, self.low, self.high)
        return points / self.softness if lead > self.high else points

    def weight(self, candidate: Candidate) -> float:
        """Returns the weight s of algorithm 1. The move of the greatest weight is played."""
        return candidate.probability * math.pow(self.gamma, -self.beyond(candidate.lead))

    def relative_weights(self, leads: Sequence[float]) -> NDArray[np.float64]:
        """Relative weights of moves with these leads, 1 for the nearest to the range: [n] float64.

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
