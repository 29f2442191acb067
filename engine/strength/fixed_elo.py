"""A fixed Elo on the rating ladder, as a persona's strength."""

from __future__ import annotations

import math
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class FixedElo:
    """Play at a fixed Elo, or as near as the rating ladder reaches."""

    elo: float  # Elo on the rating ladder of the board and network; random play is 0

    @classmethod
    def read(cls, text: str) -> FixedElo:
        """Parses an Elo. Raises ValueError, quoting a text that is no finite number."""
        try:
            elo = float(text)
        except ValueError:
            elo = math.nan
        if not math.isfinite(elo):
            raise ValueError(f"{text!r} is no Elo: a number such as 800")
        return cls(elo)
