"""A place on the ladder, as a persona's strength."""

from __future__ import annotations

import math
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class FixedElo:
    """Play as strong as that, or as near as the ladder comes."""

    elo: float  # on the ladder of the board and network: random play is 0

    @classmethod
    def read(cls, text: str) -> FixedElo:
        """The place that a number's text names; ValueError quotes a text that is none."""
        try:
            elo = float(text)
        except ValueError:
            elo = math.nan
        if not math.isfinite(elo):
            raise ValueError(f"{text!r} is no Elo: a number such as 800")
        return cls(elo)
