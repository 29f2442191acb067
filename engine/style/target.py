"""The leads that a move is to bring about, and how much moves are wanted by them.

Knows numbers, of the side that moves. Which leads those are an ending says.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

MOST_DISLIKED = 3.0  # nats that a lead far off what is wanted takes from a liking


@dataclass(frozen=True, slots=True)
class Candidate:
    """A move that may be played in an endgame."""

    move: int
    probability: float  # by the policy that says what is natural
    lead: float  # points, expected after the move, for the side that plays it


@dataclass(frozen=True, slots=True)
class Target:
    """The leads that are aimed at with this move."""

    low: float
    high: float
    gamma: float  # by which a move is wanted less for each point below them
    softness: float = 1.0  # points above them for which it is so much less wanted

    def beyond(self, lead: float) -> float:
        """How far a lead is from those aimed at, in points below them; 0 within."""
        points = outside(lead, self.low, self.high)
        return points / self.softness if lead > self.high else points

    def weight(self, candidate: Candidate) -> float:
        """The s of algorithm 1: how much a move is wanted; the one wanted most is played."""
        return candidate.probability * math.pow(self.gamma, -self.beyond(candidate.lead))

    def relative_weights(self, leads: Sequence[float]) -> NDArray[np.float64]:
        """How much moves that lead there are liked, 1 the one that leads nearest to what is wanted.

        As their weight, but no less than MOST_DISLIKED leaves: for where other reasons choose the
        moves, which may prevail so.
        """
        beyond = np.array([self.beyond(lead) for lead in leads])
        steps = math.log(self.gamma) * (beyond - beyond.min())
        likings: NDArray[np.float64] = np.exp(-np.minimum(steps, MOST_DISLIKED))
        return likings


def outside(lead: float, low: float, high: float) -> float:
    """How far a lead is from low..high; 0 within.

    >>> outside(-12, -10, -4), outside(-7, -10, -4), outside(-1, -10, -4)
    (2, 0, 3)
    """
    return max(low - lead, lead - high, 0)
