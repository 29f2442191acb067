"""How well a strength was estimated: errors and coverage after some games, by what was heeded.

Knows what a player that remembers keeps of its opponent (a posterior over ladder Elo), and where
opponents truly stand. By results alone is the posterior without what moves said; by moves alone is
what they said with what is believed of a stranger. Before each game what is known is blurred by
both, so that the parts are not quite apart. Truth is known with an error of its own, and adds it.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from engine.strength.ladder import Ladder
from engine.strength.posterior import Posterior
from protocols.match.record import Row
from protocols.match.tally import Tally
from protocols.strength.held_out import Stranger
from protocols.strength.placing import Place

CHECKED = (1, 3, 5, 15)  # after so many games estimates are held against the truth


def by_results(posterior: Posterior, _stranger: Posterior) -> Posterior:
    """What results say."""
    return replace(posterior, apparent=np.zeros_like(posterior.apparent))


def by_moves(posterior: Posterior, stranger: Posterior) -> Posterior:
    """What moves say, of somebody never met before."""
    return replace(posterior, strength=stranger.strength.copy())


def by_both(posterior: Posterior, _stranger: Posterior) -> Posterior:
    """All that is known."""
    return posterior


WAYS: dict[str, Callable[[Posterior, Posterior], Posterior]] = {
    "results": by_results,
    "moves": by_moves,
    "both": by_both,
}


@dataclass(frozen=True, slots=True)
class Estimate:
    """What was believed of an opponent after some games of a series, and where it stood then."""

    stranger: Stranger
    series: int
    games: int
    way: str  # a key of WAYS
    elo: float
    interval: tuple[float, float]
    truth: float

    @property
    def error(self) -> float:
        """By how much it was taken for stronger than it is, in Elo."""
        return self.elo - self.truth

    @property
    def covers(self) -> bool:
        """Whether the truth lies in the interval."""
        low, high = self.interval
        return low <= self.truth <= high

    def values(self) -> dict[str, Any]:
        """As JSON values."""
        return {
            "stranger": self.stranger.name,
            "series": self.series,
            "games": self.games,
            "way": self.way,
            "elo": self.elo,
            "interval": list(self.interval),
            "truth": self.truth,
            "error": self.error,
            "covers": self.covers,
        }


def estimates(
    stranger: Stranger,
    series: int,
    rows: Sequence[Row],
    places: Mapping[str, Place],
    ladder: Ladder,
) -> list[Estimate]:
    """What was believed after each game of a series; ValueError where nothing was.

    rows: in order, of (the one that estimates, the stranger); places: of players, by text.
    """
    nobody = Posterior.of_stranger(ladder.lowest, ladder.highest)
    found = []
    for number, row in enumerate(rows):
        posterior = posterior_of(row)
        for way, heeded in WAYS.items():
            believed = heeded(posterior, nobody)
            found.append(
                Estimate(
                    stranger,
                    series,
                    number + 1,
                    way,
                    believed.mean,
                    believed.interval(),
                    places[stranger.player(number)].elo,
                )
            )
    return found


def posterior_of(row: Row) -> Posterior:
    """What the first of the pair knew of the second after a game; ValueError where nothing."""
    known = row["known"][0] or {}
    if known.get("opponent") is None:
        raise ValueError("the persona keeps no estimate of its opponent")
    return Posterior.from_json(known["opponent"]["posterior"])


@dataclass(frozen=True, slots=True)
class Accuracy:
    """How good some estimates were."""

    count: int
    distance: float  # mean of the errors' sizes, Elo
    bias: float  # mean of the errors, Elo
    covered: Tally  # of the intervals, as wins
    width: float  # mean half of the intervals, Elo

    def values(self) -> dict[str, Any]:
        """As JSON values."""
        return {
            "count": self.count,
            "distance": self.distance,
            "bias": self.bias,
            "coverage": self.covered.rate,
            "coverage_interval": list(self.covered.interval()),
            "width": self.width,
        }

    def __str__(self) -> str:
        return (
            f"{self.distance:.0f} ({self.bias:+.0f}), {self.covered.rate:.0%} in +-{self.width:.0f}"
        )


def accuracy(found: Sequence[Estimate]) -> Accuracy | None:
    """How good they were; None of none."""
    if not found:
        return None
    covered = sum(each.covers for each in found)
    halves = [(each.interval[1] - each.interval[0]) / 2 for each in found]
    return Accuracy(
        len(found),
        math.fsum(abs(each.error) for each in found) / len(found),
        math.fsum(each.error for each in found) / len(found),
        Tally(wins=covered, losses=len(found) - covered),
        math.fsum(halves) / len(halves),
    )


def after(found: Sequence[Estimate], games: int, way: str) -> list[Estimate]:
    """Those after so many games, by one way."""
    return [each for each in found if each.games == games and each.way == way]
