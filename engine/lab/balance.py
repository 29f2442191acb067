"""The evenness of games: wins, losses and draws against each opponent, and |wins - losses|.

The input is the rows of a match with pairs (persona, opponent). The measure is AlphaDDA's: the
distance between the shares of games won and lost.

All intervals are of 95%. The interval for one opponent is Wilson's interval of the points (a draw
is half), mapped to the distance: exact without draws, a little wide with them. The worst opponent
keeps its own interval. The mean has the interval of the basic bootstrap, with each opponent's and
color's games resampled separately. It covers the true distance, without the part that chance adds
to the observed one.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from engine.match.record import Row
from engine.match.summary import pair_of, side_of
from engine.match.tally import Tally

RESAMPLES = 2000
RESULTS = {0: 1, 1: -1, None: 0}  # by the winner of a pair, for its first player
Outcomes = NDArray[np.int8]  # [games], 1 won, 0 drawn, -1 lost


@dataclass(frozen=True, slots=True)
class Distance:
    """The distance of games from even: |share won - share lost|, 0..1."""

    value: float
    interval: tuple[float, float]

    def values(self) -> dict[str, Any]:
        """Returns JSON values."""
        return {"value": self.value, "interval": list(self.interval)}

    def __str__(self) -> str:
        low, high = self.interval
        return f"{self.value:.2f} ({low:.2f}..{high:.2f})"


def distance_of(tally: Tally) -> Distance:
    """Returns |wins - losses| over all games, with its interval.

    >>> str(distance_of(Tally(wins=98, losses=2)))
    '0.96 (0.86..0.99)'
    """
    low, high = (2 * rate - 1 for rate in tally.interval())
    ends = sorted((abs(low), abs(high)))
    return Distance(abs(2 * tally.rate - 1), (0.0 if low < 0 < high else ends[0], ends[1]))


@dataclass(frozen=True, slots=True)
class Bout:
    """The games of one persona against one opponent. All results are the persona's."""

    persona: str
    opponent: str
    rows: tuple[Row, ...]

    def tally(self, color: int | None = None) -> Tally:
        """Returns the results with one color, or with both for None."""
        tally = Tally()
        for row in self.rows:
            if color is None or color_of(row) == color:
                tally = tally.add(side_of(row))
        return tally

    def outcomes(self, color: int) -> Outcomes:
        """Returns the results with a color: [games] int8, 1 won, 0 drawn, -1 lost."""
        points_as_color = [RESULTS[side_of(row)] for row in self.rows if color_of(row) == color]
        return np.array(points_as_color, dtype=np.int8)

    def duplicates(self) -> list[tuple[int, int]]:
        """Returns the results in both games of each opening: 1 won, 0 drawn, -1 lost.

        The two games follow each other, and the first one is the persona's with color 0.
        """
        rows = sorted(self.rows, key=lambda row: int(row["game"]))
        return [
            (RESULTS[side_of(first)], RESULTS[side_of(second)])
            for first, second in pairwise(rows)
            if (color_of(first), color_of(second)) == (0, 1)
        ]

    def values(self, colors: tuple[str, str]) -> dict[str, Any]:
        """Returns JSON values."""
        tally = self.tally()
        return {
            "persona": self.persona,
            "opponent": self.opponent,
            "games": tally.games,
            "wins": tally.wins,
            "losses": tally.losses,
            "draws": tally.draws,
            "distance": distance_of(tally).values(),
            "by_chance": by_chance(tally),
            **{
                f"as_{name.lower()}": [color.wins, color.losses, color.draws]
                for name, color in zip(colors, map(self.tally, (0, 1)), strict=True)
            },
        }


def color_of(row: Row, side: int = 0) -> int:
    """Returns the color of the pair's player 0 or 1."""
    return 0 if row["black"] == pair_of(row)[side] else 1


def by_chance(tally: Tally) -> float:
    """Returns the expected distance of exactly even players, for this number of games and draws.

    >>> round(by_chance(Tally(wins=200, losses=200)), 3)
    0.04
    """
    if not tally.games:
        return 0.0
    return math.sqrt(2 / math.pi * (tally.wins + tally.losses)) / tally.games


@dataclass(frozen=True, slots=True)
class MatchBalance:
    """One persona against all its opponents."""

    persona: str
    bouts: tuple[Bout, ...]

    @property
    def mean(self) -> Distance:
        """The mean distance of all opponents."""
        observed = np.array([distance_of(bout.tally()).value for bout in self.bouts])
        value = float(observed.mean())
        again = self._resampled(np.random.default_rng(0)).mean(axis=-1)
        low, high = np.percentile(again, [2.5, 97.5])
        return Distance(value, (max(0.0, 2 * value - high), min(1.0, max(0.0, 2 * value - low))))

    @property
    def worst(self) -> Distance:
        """The distance of the least even opponent."""
        return max((distance_of(bout.tally()) for bout in self.bouts), key=lambda each: each.value)

    @property
    def worst_opponent(self) -> str:
        """The name of the least even opponent."""
        return max(self.bouts, key=lambda bout: distance_of(bout.tally()).value).opponent

    @property
    def by_chance(self) -> float:
        """The expected mean distance of exactly even opponents."""
        return float(np.mean([by_chance(bout.tally()) for bout in self.bouts]))

    def by_color(self, color: int) -> float:
        """Returns the mean distance of all opponents in the games with a color."""
        tallies = [bout.tally(color) for bout in self.bouts]
        return float(np.mean([distance_of(tally).value for tally in tallies]))

    def _resampled(self, rng: np.random.Generator) -> NDArray[np.float64]:
        """Returns the distances of resampled games, [RESAMPLES, opponents] float64."""
        resampled = np.zeros((RESAMPLES, len(self.bouts)))
        for number, bout in enumerate(self.bouts):
            sums, games = np.zeros(RESAMPLES), 0
            for color in (0, 1):
                outcomes = bout.outcomes(color)
                if outcomes.size:
                    shares = [(outcomes == result).mean() for result in (1, 0, -1)]
                    drawn = rng.multinomial(outcomes.size, shares, size=RESAMPLES)
                    sums += drawn[:, 0] - drawn[:, 2]
                    games += outcomes.size
            resampled[:, number] = np.abs(sums) / max(1, games)
        return resampled

    def values(self, colors: tuple[str, str]) -> dict[str, Any]:
        """Returns JSON values."""
        return {
            "persona": self.persona,
            "mean": self.mean.values(),
            "mean_by_chance": self.by_chance,
            **{
                f"mean_as_{name.lower()}": self.by_color(color) for color, name in enumerate(colors)
            },
            "worst": {"opponent": self.worst_opponent, **self.worst.values()},
            "opponents": [bout.values(colors) for bout in self.bouts],
        }


def balances(rows: Sequence[Row], players: Sequence[str]) -> list[MatchBalance]:
    """Returns the balance of each persona, in the order of the players."""
    by_pair: dict[tuple[int, int], list[Row]] = {}
    for row in rows:
        by_pair.setdefault(pair_of(row), []).append(row)
    bouts_of: dict[int, list[Bout]] = {}
    for (persona, opponent), games in sorted(by_pair.items()):
        bout = Bout(players[persona], players[opponent], tuple(games))
        bouts_of.setdefault(persona, []).append(bout)
    return [MatchBalance(players[persona], tuple(bouts)) for persona, bouts in bouts_of.items()]
