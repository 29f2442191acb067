"""Endgame control by score lead: natural moves into a position a little behind.

Algorithm 1 of Shi, Fan, Li, Hsueh, Ikeda, Position Control and Production of Various Strategies for
Game of Go (JISE 37(3), 2021), and the filter of moves that other endings share.
engine.play.steps.score_lead plays by it.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from engine.style.margins import ANY, Margins
from engine.style.target_leads import Candidate, TargetLeads

MOST_KEPT = 400  # moves; no board has more
MOST_GAMMA = 100.0


@dataclass(frozen=True, slots=True)
class MoveFilter:
    """The filter of moves before reading: by probability and by loss."""

    kept: int = field(default=20, metadata={"about": "the greatest number of likely moves to read"})
    certain: float = field(
        default=0.9,
        metadata={"about": "a likeliest move above this probability is played unread"},
    )
    least_probability: float = field(
        default=0.01, metadata={"about": "the least probability of a move, except the likeliest"}
    )
    most_loss: float = field(
        default=5.0,
        metadata={"about": "the most points a move may be worse than the best of these"},
    )

    def __post_init__(self) -> None:
        """Raises ValueError, quoting a field out of range."""
        if not 1 <= self.kept <= MOST_KEPT:
            raise ValueError(f"kept {self.kept!r} is not one of 1..{MOST_KEPT}")
        for name in ("certain", "least_probability"):
            if not 0 <= getattr(self, name) <= 1:
                raise ValueError(f"{name} {getattr(self, name)!r} is not within 0..1")
        if not 0 < self.most_loss < math.inf:
            raise ValueError(f"most_loss {self.most_loss!r} is no number of points above 0")

    def likely(self, policy: NDArray[np.floating]) -> list[int]:
        """Returns the moves to read, the likeliest first; that one alone if it is certain.

        policy: [moves] probability, below 0 for a move not to be played. The likeliest move is
        always among them.
        """
        order = np.argsort(-policy, kind="stable")[: self.kept]
        best = int(order[0])
        if policy[best] > self.certain:
            return [best]
        likely = order[1:][policy[order[1:]] >= self.least_probability]
        return [best, *map(int, likely[policy[likely] >= 0])]

    def allowed(self, candidates: Sequence[Candidate], before: float = math.inf) -> list[Candidate]:
        """Returns the moves that lose no more than `most_loss`.

        before: our lead as estimated at our last turn, in points. A gift of the opponent since then
        may be given back.
        """
        best = max(candidate.lead for candidate in candidates)
        least = min(best, before) - self.most_loss
        return [each for each in candidates if each.lead >= least]


@dataclass(frozen=True, slots=True)
class ScoreLead(MoveFilter):
    """Algorithm 1's constants. The paper's gamma is 5, tested with 2, 3 and 5."""

    gamma: float = field(
        default=5.0,
        metadata={
            "about": "the factor by which each point beyond the two leads lowers a move's weight"
        },
    )
    lowest: float = field(
        default=-10.0,
        metadata={
            "about": "the lead, in points, below which a move leaves its side too far behind"
        },
    )
    highest: float = field(
        default=-4.0,
        metadata={
            "about": "the lead, in points, above which a move leaves its side too little behind"
        },
    )

    def __post_init__(self) -> None:
        """Raises ValueError, quoting a field out of range."""
        MoveFilter.__post_init__(self)
        if not 1 < self.gamma <= MOST_GAMMA:
            raise ValueError(f"gamma {self.gamma!r} is not above 1 and at most {MOST_GAMMA:g}")
        if not -math.inf < self.lowest <= self.highest < math.inf:
            raise ValueError(f"lowest {self.lowest!r} is not at most highest {self.highest!r}")

    def at(self, _score_stdev: float, _margins: Margins = ANY) -> TargetLeads:
        """Returns the target leads in points, the same at any deviation."""
        return TargetLeads(self.lowest, self.highest, self.gamma)
