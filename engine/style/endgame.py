"""When an endgame has begun, by what a search says of the score.

The conditions are those by which Shi et al. (JISE 37(3), 2021, see engine.style.score_lead) found
their test positions on 13x13 and 19x19. On boards between them we go by the number of points; on
smaller ones the lead that counts as even shrinks with that number, on larger ones nothing changes.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Self

import numpy as np

# By the points of a board: 13x13 has 169, 19x19 has 361.
AREAS = (0, 169, 361)
EVEN_LEADS = (0.0, 5.0, 12.0)
GAINS = (7.0, 7.0, 5.0)
STDEV = 10.0


@dataclass(frozen=True, slots=True)
class EndgameLimits:
    """What must be less than this, all in points of the side to move."""

    even_lead: float  # the best move's lead, whoever leads; only where an even game is looked for
    score_stdev: float  # of the final score
    gain: float  # the best move's lead less that of a pass

    def __post_init__(self) -> None:
        """ValueError quotes what is no number of points."""
        for name in ("even_lead", "score_stdev", "gain"):
            if not 0 < getattr(self, name) < math.inf:
                raise ValueError(f"{name} {getattr(self, name)!r} is no number of points above 0")

    @classmethod
    def published(cls, area: int) -> Self:
        """Those of the paper, for a board of so many points."""
        return cls(
            even_lead=float(np.interp(area, AREAS, EVEN_LEADS)),
            score_stdev=STDEV,
            gain=float(np.interp(area, AREAS, GAINS)),
        )

    def has_begun(self, score_stdev: float, gain: float) -> bool:
        """Whether little is left to play for, however the game stands."""
        return score_stdev < self.score_stdev and gain < self.gain

    def is_even(self, lead: float) -> bool:
        """Whether nobody is far ahead; in play an endgame need not be."""
        return abs(lead) < self.even_lead
