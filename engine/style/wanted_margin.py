"""Endings that aim at a final margin: natural moves that bring the lead to where it is wanted.

Ours, after algorithm 1 of Shi et al. (engine.style.score_lead): what makes a move less wanted is
how far the margin it leads to is from those wanted. A lead can be given back, but what was lost is
not won back from who errs seldom: so while the score is uncertain higher leads are aimed at, and
too great ones are borne with; towards the end less and less. Knows numbers. Does not know games;
which final margins can occur it is told.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from engine.style.margins import ANY, Margins
from engine.style.score_lead import MOST_GAMMA, MoveFilter
from engine.style.target import Target

MOST_MARGIN = 400.0  # points; no board has more
SETTLED = 0.8  # ownership from which a stone is taken for its color's, on average
LOST = 0.2  # ownership at which it is not any more


@dataclass(frozen=True, slots=True)
class WantedMargin(MoveFilter):
    """Which final margins are wanted, for our side, and how firmly."""

    least_probability: float = field(
        default=0.05, metadata={"about": "of a move, but for the likeliest and the best one"}
    )
    most_loss: float = field(
        default=4.0, metadata={"about": "points that a move may be worse than the best one"}
    )
    low: float = field(
        default=-3.5, metadata={"about": "the least margin wanted, points; a game lost is below 0"}
    )
    high: float = field(default=3.5, metadata={"about": "the greatest margin wanted, points"})
    gamma: float = field(
        default=8.0,
        metadata={"about": "by which a move is wanted less for each point that it misses them by"},
    )
    settled: float = field(
        default=4.0,
        metadata={"about": "the score's deviation at the very end; what is more is uncertainty"},
    )
    patience: float = field(
        default=0.2,
        metadata={"about": "how much softer too great a lead is taken, a point of uncertainty"},
    )
    reserve: float = field(
        default=0.3,
        metadata={"about": "how much greater leads are aimed at, a point of uncertainty"},
    )
    most_stones: int = field(
        default=2, metadata={"about": "of our settled ones that a move may give away"}
    )
    reads: int = field(
        default=3, metadata={"about": "moves whose consequences are read out before one is played"}
    )

    def __post_init__(self) -> None:
        """ValueError quotes the field that cannot be."""
        MoveFilter.__post_init__(self)
        if not -MOST_MARGIN <= self.low <= self.high <= MOST_MARGIN:
            raise ValueError(f"low {self.low!r} is not at most high {self.high!r}")
        if not 1 < self.gamma <= MOST_GAMMA:
            raise ValueError(f"gamma {self.gamma!r} is not above 1 and at most {MOST_GAMMA:g}")
        for name in ("settled", "patience", "reserve", "most_stones", "reads"):
            if not 0 <= getattr(self, name) < math.inf:
                raise ValueError(f"{name} {getattr(self, name)!r} is not 0 or more")

    def at(self, score_stdev: float, margins: Margins = ANY) -> Target:
        """What is aimed at now, by the deviation of the final score; in points."""
        low, high = margins.between(self.low, self.high)
        uncertainty = max(0.0, score_stdev - self.settled)
        higher = self.reserve * uncertainty
        softness = 1 + self.patience * uncertainty
        return Target(min(low + higher, high), high + higher, self.gamma, softness)


def given_away(
    before: NDArray[np.floating], after: NDArray[np.floating], own: NDArray[np.bool_]
) -> int:
    """How many of our settled stones are lost.

    before, after: [H*W] ownership, +1 ours; own: [H*W], where our stones stood.
    """
    return int((own & (before >= SETTLED) & (after <= LOST)).sum())
