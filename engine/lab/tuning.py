"""The balance of constants: the metric D of AlphaDDA's paper, and constants ordered by it.

The input is the rows of a match with pairs (constants, opponent).

D is the sum over all opponents of |wins - losses| as the first player and |wins - losses| as the
second (Fujita, AlphaDDA, PeerJ CS 8:e1123, 2022): 0 for even games with both colors against every
opponent, and the number of all games if each opponent always wins or always loses.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from engine.lab.balance import Bout, MatchBalance, balances, by_chance
from engine.match.record import Row


@dataclass(frozen=True, slots=True)
class TuningGrade:
    """The result of one point of the grid."""

    text: str  # the constants as text
    balance: MatchBalance

    @property
    def metric(self) -> int:
        """The metric D."""
        return sum(map(part, self.balance.bouts))

    @property
    def games(self) -> int:
        """Games with these constants."""
        return sum(len(bout.rows) for bout in self.balance.bouts)

    @property
    def by_chance(self) -> float:
        """The expected D of exactly even opponents, for this number of games and draws."""
        tallies = [bout.tally(color) for bout in self.balance.bouts for color in (0, 1)]
        return sum(by_chance(tally) * tally.games for tally in tallies)

    def values(self) -> dict[str, Any]:
        """Returns JSON values."""
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
    """Returns wins less losses with a color."""
    tally = bout.tally(color)
    return tally.wins - tally.losses


def part(bout: Bout) -> int:
    """Returns one opponent's part of D."""
    return sum(abs(difference(bout, color)) for color in (0, 1))


def grades(
    rows: Sequence[Row], points: Sequence[str], opponents: Sequence[str]
) -> list[TuningGrade]:
    """Returns the points' results, the least D first, equal ones in the grid's order."""
    measured = balances(rows, [*points, *opponents])
    return sorted(
        (TuningGrade(balance.persona, balance) for balance in measured),
        key=lambda grade: grade.metric,
    )
