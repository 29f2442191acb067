"""How well constants balance: the metric D of AlphaDDA's paper, and constants in its order.

Knows rows of a match whose pairs are (constants, opponent). Does not know how games were played.

D is the sum over all opponents of |wins - losses| as the first player and |wins - losses| as the
second (Fujita, AlphaDDA, PeerJ CS 8:e1123, 2022): 0 where every opponent is held even with both
colors, twice the games of a color times the opponents where each is beaten, or lost to, always.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from engine.lab.balance import Bout, MatchBalance, balances, by_chance
from engine.match.record import Row


@dataclass(frozen=True, slots=True)
class TuningGrade:
    """What one point of the grid came to."""

    text: str  # of its constants
    balance: MatchBalance

    @property
    def metric(self) -> int:
        """D."""
        return sum(map(part, self.balance.bouts))

    @property
    def games(self) -> int:
        """Played with these constants."""
        return sum(len(bout.rows) for bout in self.balance.bouts)

    @property
    def by_chance(self) -> float:
        """The D to be expected were every opponent exactly even, of so many games and draws."""
        tallies = [bout.tally(color) for bout in self.balance.bouts for color in (0, 1)]
        return sum(by_chance(tally) * tally.games for tally in tallies)

    def values(self) -> dict[str, Any]:
        """As JSON values."""
        return {
            "constants": self.text,
            "D": self.metric,
            "by_chance": self.by_chance,
            "games": self.games,
            "opponents": {
                bout.opponent: [difference(bout, color) for color in (0, 1)]
                for bout in self.balance.bouts
            },
        }


def difference(bout: Bout, color: int) -> int:
    """Wins less losses with a color."""
    tally = bout.tally(color)
    return tally.wins - tally.losses


def part(bout: Bout) -> int:
    """What one opponent adds to D."""
    return sum(abs(difference(bout, color)) for color in (0, 1))


def grades(
    rows: Sequence[Row], points: Sequence[str], opponents: Sequence[str]
) -> list[TuningGrade]:
    """What the points came to, the least D first, equals in the grid's order."""
    found = balances(rows, [*points, *opponents])
    return sorted(
        (TuningGrade(balance.persona, balance) for balance in found), key=lambda grade: grade.metric
    )
