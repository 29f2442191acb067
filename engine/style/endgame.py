"""The beginning of the endgame, by a search's estimate of the score.

The thresholds are those by which Shi et al. (JISE 37(3), 2021, see engine.style.score_lead)
selected their test positions on 13x13 and 19x19. Boards between these sizes interpolate by the
number of points. On smaller boards the even lead shrinks with that number; on larger ones nothing
changes.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Self

import numpy as np

# Thresholds by the number of points of a board: 13x13 has 169, 19x19 has 361.
AREAS = (0, 169, 361)
EVEN_LEADS = (0.0, 5.0, 12.0)
GAINS = (7.0, 7.0, 5.0)
STDEV = 10.0


@dataclass(frozen=True, slots=True)
class EndgameLimits:
    """Upper limits of an endgame position, in points of the side to move."""

    even_lead: (
        float  # limit of the best move's lead, either sign; only in the search for even games
    )
    score_stdev: float  # limit of the final score's standard deviation
    gain: float  # the best move's lead less the lead after a pass

    def __post_init__(self) -> None:
        """Raises ValueError, quoting a limit of no positive number of points."""
        for name in ("even_lead", "score_stdev", "gain"):
            if not 0 < getattr(self, name) < math.inf:
                raise ValueError(f"{name} {getattr(self, name)!r} is no number of points above 0")

    @classmethod
    def published(cls, area: int) -> Self:
        """Returns the paper's limits for a board of `area` points."""
        return cls(
            even_lead=float(np.interp(area, AREAS, EVEN_LEADS)),
            score_stdev=STDEV,
            gain=float(np.interp(area, AREAS, GAINS)),
        )

    def has_begun(self, score_stdev: float, gain: float) -> bool:
        """Tests whether little is left to play for, at any lead."""
        return score_stdev < self.score_stdev and gain < self.gain

    def is_even(self, lead: float) -> bool:
        """Tests whether neither side is far ahead. An endgame in play need not be even."""
        return abs(lead) < self.even_lead
