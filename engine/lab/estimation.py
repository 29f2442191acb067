"""The accuracy of strength estimates: errors and coverage after some games, by source of evidence.

The input is the posterior over an opponent's ladder Elo after each game, and the opponent's true
place. The evidence of a game is the difference between the posteriors before and after it. The
estimate by results alone, or by moves alone, is a stranger's posterior after only that evidence.
The truth has an error of its own, and the estimate's error includes it.
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
from engine.opponents import Grid, Posterior, Tables, stranger_posterior
from engine.strength.rating_ladder import RatingLadder

CHECKED = (1, 3, 5, 15)  # numbers of games before an estimate is compared with the truth


@dataclass(frozen=True, slots=True)
class GameEvidence:
    """The evidence of one game about an opponent, as log likelihoods over the grid."""

    result: Grid  # of a game that was not steered
    steered: Grid
    moves: Tables

    @classmethod
    def between(cls, before: Posterior, after: Posterior) -> Self:
        """Returns the evidence between two posteriors; ValueError if they use different tables."""
        if before.frame != after.frame:
            raise ValueError("an opponent was judged by other tables from one game to the next")
        return cls(
            after.strength - before.strength,
            after.steered - before.steered,
            after.apparent - before.apparent,
        )


def by_results(believed: Posterior, evidence: GameEvidence) -> Posterior:
    """Returns the posterior after the result."""
    return believed.reweighed(evidence.result).after_steered_game(evidence.steered)


def by_moves(believed: Posterior, evidence: GameEvidence) -> Posterior:
    """Returns the posterior after the moves."""
    return believed.after_move(evidence.moves)


def by_both(believed: Posterior, evidence: GameEvidence) -> Posterior:
    """Returns the posterior after result and moves."""
    return by_moves(by_results(believed, evidence), evidence)


BOTH = "both"
WAYS: dict[str, Callable[[Posterior, GameEvidence], Posterior]] = {
    "results": by_results,
    "moves": by_moves,
    BOTH: by_both,
}


@dataclass(frozen=True, slots=True)
class StrengthEstimate:
    """The estimate of an opponent after some games of a series, and its true place then."""

    stranger: Stranger
    series: int
    games: int
    way: str  # a key of WAYS
    elo: float
    interval: tuple[float, float]
    truth: float

    @property
    def error(self) -> float:
        """The overestimate of the opponent, in Elo."""
        return self.elo - self.truth

    @property
    def covers(self) -> bool:
        """Whether the interval holds the truth."""
        low, high = self.interval
        return low <= self.truth <= high

    def values(self) -> dict[str, Any]:
        """Returns JSON values."""
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
    *,
    is_natural: bool = False,
) -> list[StrengthEstimate]:
    """Returns the estimate after each game of a series; raises ValueError without a belief.

    rows: in order, of pairs (estimator, stranger); places: of players, by text. is_natural: whether
    the estimator has a naturalness budget, for its first belief.
    """
    beliefs: dict[str, Posterior] = {}
    before: Posterior | None = None
    chosen = []
    for number, row in enumerate(rows):
        after = posterior_of(row)
        if before is None:
            before = stranger_posterior(
                ladder, after.styles, after.steered_deviation, is_natural=is_natural
            )
            beliefs = dict.fromkeys(WAYS, before)
        else:
            before = before.drifted()
            beliefs = {way: belief.drifted() for way, belief in beliefs.items()}
        evidence = GameEvidence.between(before, after)
        for way, heed in WAYS.items():
            belief = beliefs[way] = heed(beliefs[way], evidence)
            truth = places[stranger.player(number)].elo
            chosen.append(
                StrengthEstimate(
                    stranger, series, number + 1, way, belief.mean, belief.interval(), truth
                )
            )
        before = after
    return chosen


def final_estimates(
    stranger: Stranger, series: int, rows: Sequence[Row], truth: float
) -> list[StrengthEstimate]:
    """Returns the estimate by result and moves after each game of a series.

    The tables that judged may be others than the ladder's. rows: in order. truth: the stranger's
    Elo. Raises ValueError without a belief.
    """
    return [
        StrengthEstimate(stranger, series, number, BOTH, belief.mean, belief.interval(), truth)
        for number, belief in enumerate(map(posterior_of, rows), 1)
    ]


def posterior_of(row: Row) -> Posterior:
    """Returns the first player's posterior of the second after a game.

    Raises ValueError without one.
    """
    known = row["known"][0] or {}
    if known.get("opponent") is None:
        raise ValueError("the persona keeps no estimate of its opponent")
    return Posterior.from_json(known["opponent"]["posterior"])


@dataclass(frozen=True, slots=True)
class Accuracy:
    """The accuracy of a set of estimates."""

    count: int
    distance: float  # mean of the errors' sizes, Elo
    bias: float  # mean of the errors, Elo
    covered: Tally  # wins: intervals that contain the true place
    width: float  # mean half of the intervals, Elo

    def values(self) -> dict[str, Any]:
        """Returns JSON values."""
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


def accuracy(chosen: Sequence[StrengthEstimate]) -> Accuracy | None:
    """Returns the accuracy of estimates; None for no estimates."""
    if not chosen:
        return None
    covered = sum(each.covers for each in chosen)
    halves = [(each.interval[1] - each.interval[0]) / 2 for each in chosen]
    return Accuracy(
        len(chosen),
        math.fsum(abs(each.error) for each in chosen) / len(chosen),
        math.fsum(each.error for each in chosen) / len(chosen),
        Tally(wins=covered, losses=len(chosen) - covered),
        math.fsum(halves) / len(halves),
    )


def after(chosen: Sequence[StrengthEstimate], games: int, way: str) -> list[StrengthEstimate]:
    """Returns the estimates after `games` games, by one way."""
    return [each for each in chosen if each.games == games and each.way == way]
