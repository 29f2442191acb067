"""How well a strength was estimated: errors and coverage after some games, by what was heeded.

Knows what a player that remembers keeps of its opponent (a posterior over ladder Elo), and where
opponents truly stand. What a game's result and what its moves said is the difference between what
was believed before and after it; by results alone, or by moves alone, is what a stranger's
posterior becomes that hears of nothing else. Truth is known with an error of its own, and adds it.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Self

from engine.lab.held_out import Stranger
from engine.lab.placing import LadderPlace
from engine.match.record import Row
from engine.match.tally import Tally
from engine.opponents.posterior import Grid, Posterior, Tables
from engine.strength.rating_ladder import RatingLadder

CHECKED = (1, 3, 5, 15)  # after so many games estimates are held against the truth


@dataclass(frozen=True, slots=True)
class Told:
    """What one game said of an opponent, as log likelihoods over the grid."""

    result: Grid
    moves: Tables

    @classmethod
    def between(cls, before: Posterior, after: Posterior) -> Self:
        """What led from one belief to the other; ValueError where they are by other tables."""
        if before.styles != after.styles or before.lowest_elo != after.lowest_elo:
            raise ValueError("an opponent was judged by other tables from one game to the next")
        return cls(after.strength - before.strength, after.apparent - before.apparent)


def by_results(believed: Posterior, told: Told) -> Posterior:
    """Having heard of the result."""
    return believed.after_outcome(told.result)


def by_moves(believed: Posterior, told: Told) -> Posterior:
    """Having seen the moves."""
    return believed.after_move(told.moves)


def by_both(believed: Posterior, told: Told) -> Posterior:
    """All that is known."""
    return by_moves(by_results(believed, told), told)


WAYS: dict[str, Callable[[Posterior, Told], Posterior]] = {
    "results": by_results,
    "moves": by_moves,
    "both": by_both,
}


@dataclass(frozen=True, slots=True)
class StrengthEstimate:
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
    places: Mapping[str, LadderPlace],
    ladder: RatingLadder,
) -> list[StrengthEstimate]:
    """What was believed after each game of a series; ValueError where nothing was.

    rows: in order, of (the one that estimates, the stranger); places: of players, by text.
    """
    beliefs: dict[str, Posterior] = {}
    before: Posterior | None = None
    found = []
    for number, row in enumerate(rows):
        after = posterior_of(row)
        if before is None:
            before = Posterior.of_stranger(ladder.lowest, ladder.highest, styles=after.styles)
            beliefs = dict.fromkeys(WAYS, before)
        else:
            before = before.drifted()
            beliefs = {way: belief.drifted() for way, belief in beliefs.items()}
        told = Told.between(before, after)
        for way, heed in WAYS.items():
            belief = beliefs[way] = heed(beliefs[way], told)
            truth = places[stranger.player(number)].elo
            found.append(
                StrengthEstimate(
                    stranger, series, number + 1, way, belief.mean, belief.interval(), truth
                )
            )
        before = after
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


def accuracy(found: Sequence[StrengthEstimate]) -> Accuracy | None:
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


def after(found: Sequence[StrengthEstimate], games: int, way: str) -> list[StrengthEstimate]:
    """Those after so many games, by one way."""
    return [each for each in found if each.games == games and each.way == way]
