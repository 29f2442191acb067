"""Wins, losses and draws, and the strength they imply.

A tally has Wilson's interval of the score, and the strength on the Elo scale.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

Z_95 = 1.959964  # half width of a normal distribution's 95% interval, in standard deviations


@dataclass(frozen=True, slots=True)
class Tally:
    """Results from the first player's side."""

    wins: int = 0
    losses: int = 0
    draws: int = 0

    def add(self, winner: int | None) -> Tally:
        """Returns this tally with one more game.

        winner: 0 the first player, 1 the second, None a draw.
        """
        name = {0: "wins", 1: "losses", None: "draws"}[winner]
        return replace(self, **{name: getattr(self, name) + 1})

    @property
    def games(self) -> int:
        """The number of games."""
        return self.wins + self.losses + self.draws

    @property
    def rate(self) -> float:
        """Share of points won, 0..1; a draw is half a point; 0.5 before the first game."""
        return (self.wins + self.draws / 2) / self.games if self.games else 0.5

    def interval(self) -> tuple[float, float]:
        """Returns Wilson's 95% interval of `rate`; (0, 1) before the first game.

        Draws count as half a win. The interval is a little too wide for it, never too narrow.
        """
        if not self.games:
            return 0.0, 1.0
        share = Z_95**2 / self.games
        middle = (self.rate + share / 2) / (1 + share)
        spread = math.sqrt(self.rate * (1 - self.rate) * share + share**2 / 4) / (1 + share)
        low = middle - spread if self.rate > 0 else 0.0
        high = middle + spread if self.rate < 1 else 1.0
        return low, high

    def elo(self) -> tuple[float, float, float]:
        """Returns the first player's Elo advantage.

        As low end, estimate and high end of the 95% interval.
        """
        low, high = self.interval()
        return elo_of(low), elo_of(self.rate), elo_of(high)

    def __str__(self) -> str:
        """Returns the result in a few words."""
        low, high = self.interval()
        return f"+{self.wins} -{self.losses} ={self.draws} {self.rate:.1%} ({low:.1%}..{high:.1%})"


def elo_of(rate: float) -> float:
    """Returns the Elo difference with `rate` of the points expected; infinite at 0 and 1."""
    if rate <= 0:
        return -math.inf
    if rate >= 1:
        return math.inf
    return 400 * math.log10(rate / (1 - rate))
