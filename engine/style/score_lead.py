"""Endgame control by score lead: natural moves that leave their side a little behind.

Algorithm 1 of Shi, Fan, Li, Hsueh, Ikeda, Position Control and Production of Various Strategies for
Game of Go (JISE 37(3), 2021), and the sieve that other endings share with it. Knows numbers. Does
not know games, nor who read the lead after each move.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from engine.style.margins import ANY, Margins
from engine.style.target import Candidate, Target

MOST_KEPT = 400  # moves; no board has more
MOST_GAMMA = 100.0


@dataclass(frozen=True, slots=True)
class MoveFilter:
    """Which moves are considered at all."""

    kept: int = field(default=20, metadata={"about": "so many of the likeliest moves"})
    certain: float = field(
        default=0.9,
        metadata={"about": "the likeliest move is played unseen where it is likelier than this"},
    )
    least_probability: float = field(
        default=0.01, metadata={"about": "of a move, but for the likeliest one"}
    )
    most_loss: float = field(
        default=5.0, metadata={"about": "points that a move may be worse than the best of those"}
    )

    def __post_init__(self) -> None:
        """ValueError quotes the field that cannot be."""
        if not 1 <= self.kept <= MOST_KEPT:
            raise ValueError(f"kept {self.kept!r} is not one of 1..{MOST_KEPT}")
        for name in ("certain", "least_probability"):
            if not 0 <= getattr(self, name) <= 1:
                raise ValueError(f"{name} {getattr(self, name)!r} is not within 0..1")
        if not 0 < self.most_loss < math.inf:
            raise ValueError(f"most_loss {self.most_loss!r} is no number of points above 0")

    def likely(self, policy: NDArray[np.floating]) -> list[int]:
        """The moves to be looked at, the likeliest first; that alone where it is certain.

        policy: [moves] probability, below 0 where a move may not be played. The likeliest is always
        among them.
        """
        order = np.argsort(-policy, kind="stable")[: self.kept]
        best = int(order[0])
        if policy[best] > self.certain:
            return [best]
        likely = order[1:][policy[order[1:]] >= self.least_probability]
        return [best, *map(int, likely[policy[likely] >= 0])]

    def allowed(self, candidates: Sequence[Candidate], before: float = math.inf) -> list[Candidate]:
        """Those that give away no more than they may.

        before: the lead that was believed in at our last turn: what the opponent has given away
        since then need not be taken.
        """
        best = max(candidate.lead for candidate in candidates)
        least = min(best, before) - self.most_loss
        return [each for each in candidates if each.lead >= least]


@dataclass(frozen=True, slots=True)
class ScoreLead(MoveFilter):
    """Algorithm 1's constants; the papers' gamma is 5, tested with 2, 3 and 5."""

    gamma: float = field(
        default=5.0,
        metadata={"about": "by which a move is wanted less for each point beyond the two leads"},
    )
    lowest: float = field(
        default=-10.0, metadata={"about": "the lead below which it is too far behind, points"}
    )
    highest: float = field(
        default=-4.0, metadata={"about": "the lead above which it is too little behind, points"}
    )

    def __post_init__(self) -> None:
        """ValueError quotes the field that cannot be."""
        MoveFilter.__post_init__(self)
        if not 1 < self.gamma <= MOST_GAMMA:
            raise ValueError(f"gamma {self.gamma!r} is not above 1 and at most {MOST_GAMMA:g}")
        if not -math.inf < self.lowest <= self.highest < math.inf:
            raise ValueError(f"lowest {self.lowest!r} is not at most highest {self.highest!r}")

    def at(self, _score_stdev: float, _margins: Margins = ANY) -> Target:
        """What is aimed at, which is always the same, in points."""
        return Target(self.lowest, self.highest, self.gamma)
