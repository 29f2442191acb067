"""Ratings from results: Elo by maximum likelihood, and Elo updated game by game.

The input is counts of points between numbered players. The model is Bradley and Terry's on the Elo
scale (400 points are odds of ten to one; a draw is half a win), with its uncertainty.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

POINTS_PER_LOG_ODDS = 400 / math.log(10)
Z_95 = 1.959964  # standard deviations around 95% of a normal distribution
Table = NDArray[np.float64]

MOST_STEPS = 200
SMALLEST_STEP = 1e-9  # the smallest step of Newton's method, in log odds
LONGEST_STEP = 2.0  # the longest step, in log odds; Newton's first steps may be far too long


class UnboundedError(ValueError):
    """The likelihood has no finite maximum: some players took all points, or none."""


def log_likelihood_of(
    log_odds: NDArray[np.float64], points: float, games: float = 1.0
) -> NDArray[np.float64]:
    """Returns [strengths] the log likelihood of a player's points in so many games.

    log_odds: [strengths] of this player's win. A draw counts as half a win and half a loss.
    """
    won: NDArray[np.float64] = points * np.logaddexp(0, -log_odds)
    return -won - (games - points) * np.logaddexp(0, log_odds)


@dataclass(frozen=True, slots=True)
class Meeting:
    """The result of all games between two players."""

    first: int  # players are numbered from 0
    second: int
    points: float  # points of the first player: wins plus half the draws
    games: int


@dataclass(frozen=True, slots=True)
class Rating:
    """One player's rating; the mean of all players is 0."""

    elo: float
    error: float  # Elo, half of the 95% interval


def fit(
    players: int,
    meetings: Sequence[Meeting],
    *,
    prior_draws: float = 0.0,
    anchor: int | None = None,
    unbiased: bool = False,
) -> list[Rating]:
    """Returns the maximum likelihood ratings, with 95% intervals around the players' mean.

    players: their number. prior_draws: draws added to each meeting; they keep the ratings finite.
    anchor: the player with rating 0; all intervals are then those of the distance to it. unbiased:
    as in fit_mixtures. Raises UnboundedError if no finite ratings fit, also if some players never
    met the others.
    """
    if players < 1:
        raise ValueError(f"ratings need players, not {players}")
    won = np.zeros((players, players))
    for meeting in meetings:
        won[meeting.first, meeting.second] += meeting.points + prior_draws / 2
        won[meeting.second, meeting.first] += meeting.games - meeting.points + prior_draws / 2
    if not _all_connected(won + won.T if unbiased else won):
        raise UnboundedError("some players took every point, or none, from all the others")
    first, second = np.triu_indices(players, 1)
    units = np.eye(players)
    points, games = won[first, second], (won + won.T)[first, second]
    design = units[first] - units[second]
    return fit_mixtures(design, points, games, anchor=anchor, unbiased=unbiased)


def fit_mixtures(
    design: Table,
    points: Table,
    games: Table,
    *,
    anchor: int | None = None,
    unbiased: bool = False,
) -> list[Rating]:
    """Returns the maximum likelihood ratings from games between mixtures of players.

    The rating of a mixture is the mean of its players'. design: [meetings, players] the shares of
    the players in the first side, less those in the second. points: [meetings] of the first side.
    games: [meetings]. anchor: as in fit. unbiased: whether half of each meeting's leverage counts
    as a draw (Firth, Bias Reduction of Maximum Likelihood Estimates, 1993, section 3.3): few games
    then make no chain of players too long, and ratings are finite without prior draws.
    """
    log_odds: Table = np.zeros(design.shape[1])
    for _ in range(MOST_STEPS):
        expected = 1 / (1 + np.exp(-(design @ log_odds)))
        covariances = _covariances(design, games, expected)
        surprise = points - games * expected
        if unbiased:
            reach = ((design @ covariances) * design).sum(axis=1)
            surprise += reach * games * expected * (1 - expected) * (0.5 - expected)
        step = covariances @ (design.T @ surprise)
        longest = np.abs(step).max()
        step *= min(1.0, LONGEST_STEP / max(longest, SMALLEST_STEP))
        log_odds = log_odds + step - step.mean()
        if longest < SMALLEST_STEP:
            break
    covariances = _covariances(design, games, 1 / (1 + np.exp(-(design @ log_odds))))
    variances = np.diag(covariances)
    if anchor is not None:
        log_odds = log_odds - log_odds[anchor]
        variances = variances - 2 * covariances[anchor] + variances[anchor]
    return [
        Rating(
            float(odds) * POINTS_PER_LOG_ODDS,
            Z_95 * math.sqrt(max(variance, 0.0)) * POINTS_PER_LOG_ODDS,
        )
        for odds, variance in zip(log_odds, variances, strict=True)
    ]


def _covariances(design: Table, games: Table, expected: Table) -> Table:
    """Returns [players, players] the covariances of the log odds, by Fisher's information."""
    weights = games * expected * (1 - expected)
    return np.linalg.pinv(design.T @ (design * weights[:, None]), hermitian=True).astype(np.float64)


def _all_connected(points: Table) -> bool:
    """Whether a chain of points leads from each player to every other, in both directions."""
    return all(_reached(table) == len(points) for table in (points, points.T))


def _reached(points: Table) -> int:
    """Returns the number of players reached by points from player 0, player 0 included."""
    reached, waiting = {0}, [0]
    while waiting:
        for other in np.flatnonzero(points[waiting.pop()] > 0):
            if int(other) not in reached:
                reached.add(int(other))
                waiting.append(int(other))
    return len(reached)


def sequential_ratings(
    players: int,
    games: Iterable[tuple[int, int, float]],
    *,
    factor: float,
    start: float = 1500.0,
) -> list[float]:
    """Returns the ratings after one Elo update a game: `factor` times (points - expected points).

    games: (first, second, points of the first) in the order played. start: all players' first
    rating. AlphaDDA's evaluation uses factor 8.
    """
    ratings = [start] * players
    for first, second, points in games:
        expected = 1 / (1 + 10 ** ((ratings[second] - ratings[first]) / 400))
        change = factor * (points - expected)
        ratings[first] += change
        ratings[second] -= change
    return ratings


EVERYWHERE_ELO = 1e5  # an Elo beyond the ends of every rating ladder
