"""Target margins: endings by natural moves that bring the final margin into a target range.

Our extension of algorithm 1 of Shi et al. (engine.style.score_lead): the weight of a move falls
with the distance of its lead from the range. A lead can be given back, but a loss is hardly won
back from a strong opponent. An uncertain score therefore raises the target leads and softens the
penalty on greater ones; both effects fade towards the end. The caller passes the game's possible
margins.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from engine.style.margins import ANY, Margins
from engine.style.score_lead import MOST_GAMMA, MoveFilter
from engine.style.target_leads import TargetLeads

MOST_MARGIN = 400.0  # points; no board has more
SETTLED = 0.8  # from this ownership on, a stone counts as settled for its own color
LOST = 0.2  # a settled stone with at most this ownership after a sequence is lost


@dataclass(frozen=True, slots=True)
class TargetMargin(MoveFilter):
    """The range of target margins for our side, and the penalties outside it."""

    least_probability: float = field(
        default=0.05,
        metadata={"about": "the least probability of a move, except the likeliest and the best"},
    )
    most_loss: float = field(
        default=4.0, metadata={"about": "the most points a move may be worse than the best"}
    )
    low: float = field(
        default=-3.5, metadata={"about": "the least target margin, points; a lost game is below 0"}
    )
    high: float = field(default=3.5, metadata={"about": "the greatest target margin, points"})
    gamma: float = field(
        default=8.0,
        metadata={"about": "each point outside the range divides a move's weight by this"},
    )
    settled: float = field(
        default=4.0,
        metadata={"about": "the score's deviation at the very end; the rest is uncertainty"},
    )
    patience: float = field(
        default=0.2,
        metadata={
            "about": "softening of the penalty on too great a lead, for each point of uncertainty"
        },
    )
    reserve: float = field(
        default=0.3,
        metadata={"about": "points by which each point of uncertainty raises the target leads"},
    )
    most_stones: int = field(
        default=2, metadata={"about": "the most settled stones of ours that a move may give away"}
    )
    reads: int = field(
        default=3, metadata={"about": "the number of moves to read out before one is played"}
    )

    def __post_init__(self) -> None:
        """Raises ValueError, quoting a field out of range."""
        MoveFilter.__post_init__(self)
        if not -MOST_MARGIN <= self.low <= self.high <= MOST_MARGIN:
            raise ValueError(f"low {self.low!r} is not at most high {self.high!r}")
        if not 1 < self.gamma <= MOST_GAMMA:
            raise ValueError(f"gamma {self.gamma!r} is not above 1 and at most {MOST_GAMMA:g}")
        for name in ("settled", "patience", "reserve", "most_stones", "reads"):
            if not 0 <= getattr(self, name) < math.inf:
                raise ValueError(f"{name} {getattr(self, name)!r} is not 0 or more")

    def at(self, score_stdev: float, margins: Margins = ANY) -> TargetLeads:
        """Returns the target leads in points, by the standard deviation of the final score."""
        low, high = margins.between(self.low, self.high)
        uncertainty = max(0.0, score_stdev - self.settled)
        higher = self.reserve * uncertainty
        softness = 1 + self.patience * uncertainty
        return TargetLeads(min(low + higher, high), high + higher, self.gamma, softness)


def given_away(
    before: NDArray[np.floating], after: NDArray[np.floating], own: NDArray[np.bool_]
) -> int:
    """Counts our settled stones that a sequence loses.

    before, after: [H*W] ownership, +1 for our side; own: [H*W], our stones before.
    """
    return int((own & (before >= SETTLED) & (after <= LOST)).sum())
