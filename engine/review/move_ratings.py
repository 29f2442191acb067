"""The ratings of players of chess that their moves look like.

Networks of human moves by rating give the probability of each played move at each rating. With a
prior over ratings they make a posterior; moves count as independent. Ratings are those of Lichess,
as in the names of Maia's networks.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from engine.networks.human_policy import HumanPolicy
from engine.networks.rated_networks import RatedEvaluator
from engine.review.played import ReplayedGame

Numbers = NDArray[np.float64]

BELOW = (700.0, 900.0)  # ratings below the networks', reached by a higher temperature
GRID_STEP = 10.0
# Prior over ratings. Lichess's ratings of blitz and rapid have about this mean and deviation.
PRIOR_MEAN, PRIOR_DEVIATION = 1500.0, 400.0
LEAST_PROBABILITY = 1e-3  # of a move: a slip of the mouse proves nothing
INTERVAL = 0.95
EDGE = 50.0  # from an end of the ratings: an interval as near reaches beyond it


@dataclass(frozen=True, slots=True)
class RatingEstimate:
    """The ratings that moves look like: the posterior's mean and 95% interval."""

    mean: float
    low: float
    high: float
    is_lowest: bool  # whether the interval reaches the lowest rating of the grid
    is_highest: bool  # whether it reaches the highest one: stronger players are not told apart

    def __str__(self) -> str:
        """Returns the estimate in words: "1420 (1150 to 1690)"."""
        low = f"{self.low:.0f}{' or less' if self.is_lowest else ''}"
        high = f"{self.high:.0f}{' or more' if self.is_highest else ''}"
        return f"{self.mean:.0f} ({low} to {high})"


@dataclass(frozen=True, slots=True, eq=False)
class MoveRatings:
    """The probability of each move of a game at each rating."""

    ratings: tuple[float, ...]  # rising
    probabilities: Numbers  # [moves, ratings]; NaN for a forced move

    def of_move(self, number: int) -> dict[float, float]:
        """Returns the probability of a move by rating; number: from 0. Empty for a forced move."""
        row = self.probabilities[number]
        return {} if np.isnan(row).any() else dict(zip(self.ratings, row.tolist(), strict=True))


def move_ratings(people: HumanPolicy | None, played: ReplayedGame) -> MoveRatings | None:
    """Returns the probabilities of the moves after the opening; None without networks by rating."""
    ratings = ratings_of(people)
    if people is None or not ratings:
        return None
    rows = []
    for number, (position, _, move) in enumerate(played.turns(), -played.opening):
        if number < 0:
            continue
        if len(position.legal_moves()) == 1:
            rows.append([np.nan] * len(ratings))
            continue
        rows.append([float(people.policy_at(position, (each, each))[move]) for each in ratings])
    return MoveRatings(ratings, np.array(rows).reshape(-1, len(ratings)))


def ratings_of(people: HumanPolicy | None) -> tuple[float, ...]:
    """Returns the ratings of the networks, and BELOW; none for fewer than two networks."""
    evaluator = None if people is None else people.evaluator
    if not isinstance(evaluator, RatedEvaluator) or len(evaluator.ratings) < 2:
        return ()
    below = tuple(each for each in BELOW if each < evaluator.ratings[0])
    return (*below, *evaluator.ratings)


def rating_of_moves(
    likelihoods: MoveRatings, colors: Sequence[int], color: int | None = None
) -> RatingEstimate | None:
    """Returns the estimate of a player's rating by the moves of a color; None without a move.

    colors: of the moves. color: None: the moves of both.
    """
    own = [color is None or each == color for each in colors]
    return estimate(
        log_likelihoods(likelihoods.probabilities[np.array(own, bool)]), likelihoods.ratings
    )


def log_likelihoods(probabilities: Numbers) -> Numbers:
    """Returns [moves, ratings] the logs of probabilities, without forced moves."""
    rows = probabilities[~np.isnan(probabilities).any(axis=1)]
    return np.log(np.maximum(rows, LEAST_PROBABILITY))


def estimate(by_move: Numbers, ratings: Sequence[float]) -> RatingEstimate | None:
    """Returns the estimate by the log likelihoods of moves, [moves, ratings]; None without a move.

    Between two ratings the log likelihood is linear.
    """
    if not len(by_move):
        return None
    grid = np.arange(ratings[0], ratings[-1] + GRID_STEP / 2, GRID_STEP)
    log_posterior = np.interp(grid, ratings, by_move.sum(axis=0))
    log_posterior -= ((grid - PRIOR_MEAN) / PRIOR_DEVIATION) ** 2 / 2
    posterior = np.exp(log_posterior - log_posterior.max())
    posterior /= posterior.sum()
    below = np.cumsum(posterior)
    low, high = (
        grid[np.searchsorted(below, at)] for at in ((1 - INTERVAL) / 2, (1 + INTERVAL) / 2)
    )
    return RatingEstimate(
        mean=float(grid @ posterior),
        low=float(low),
        high=float(high),
        is_lowest=bool(low <= grid[0] + EDGE),
        is_highest=bool(high >= grid[-1] - EDGE),
    )
