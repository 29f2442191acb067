"""The posterior of an opponent's strength: a distribution over ladder Elo, updated by Bayes' rule.

The module holds one opponent's numbers only. The likelihood of a move is in
engine.opponents.move_likelihood.

A game's result is evidence of the strength s. A move is evidence of an apparent level a instead:
the likelihood of moves was learned from other players, and a player with the same results may move
like a weaker or a stronger one. The offset a - s of a player is the same in all its games. Any
number of moves therefore determines s only to within the offset's deviation.

Players have styles. Each style has its own table of move likelihood and its own deviation of the
offset, and the moves are evidence of the style too. A table is valid within its reach: the levels
of the players that it was learned from. The posterior has one function over a grid of Elo for the
strength, and one for each style k; N_k is the normal distribution of style k's offset:

    p(s | all) ~ strength(s) * moves(s) * sum over e of N(e - s) * steered(e)
    moves(s) = sum over k of share_k * sum over a of N_k(a - s) * apparent_k(a)

At first apparent_k is k's reach, and strength is chosen to make p the prior.

The result of a steered game, that a level keeps even, is evidence of one more strength, e: what a
level gains by steering differs from opponent to opponent. The offset e - s of a player is the same
in all its games too, and N is its normal distribution. Any number of steered games determines s
only to within its deviation. They determine e, and the next level is chosen by e:

    p(e | all) ~ steered(e) * sum over s of N(e - s) * strength(s) * moves(s)

This is Skilloscopy's product of likelihoods (Di Fatta, Haworth, Regan 2009) with the offset added.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any, Self

import numpy as np

from engine.opponents.drift import drift_kernel
from engine.opponents.elo_grid import (
    MARGIN_ELO,
    STEP_ELO,
    Grid,
    Kernel,
    Tables,
    elos_from,
    finite,
    from_highest,
    log_of,
    normal_around,
    read_densities,
    written_densities,
)
from engine.opponents.player_style import USUAL_STYLES, PlayerStyle
from engine.util.elo import POINTS_PER_LOG_ODDS, log_likelihood_of

# The deviation of a stranger's strength, as a share of the ladder above random play.
PRIOR_SHARE = 1 / 3
LEAST_PRIOR_ELO = 400.0  # the least deviation of a stranger's strength
SHARE_ERROR = 1e-6  # tolerance of the sum of the shares

# Limits of a posterior read from JSON; a ladder of 5,000 Elo has 250 points.
MOST_POINTS, MOST_STYLES = 1000, 16
LEAST_STEP_ELO = 1.0


@dataclass(frozen=True, slots=True, eq=False)
class Posterior:
    """The distribution over one opponent's strength; each method returns a new value."""

    lowest_elo: float  # the grid's first point
    styles: tuple[PlayerStyle, ...]
    strength: Grid  # [points] log density of s by prior and other results; its maximum is 0
    apparent: Tables  # [styles, points] log likelihood of a by moves; its maximum is 0
    steered: Grid  # [points] log likelihood of e by steered games; its maximum is 0
    steered_deviation: float = 0.0  # of the offset e - s, in Elo
    step_elo: float = STEP_ELO

    def __post_init__(self) -> None:
        """Raises ValueError on functions over different grids."""
        shapes = self.strength.shape, self.apparent.shape, self.steered.shape
        is_one_grid = shapes[1] == (len(self.styles), *shapes[0]) and shapes[0] == shapes[2]
        if self.strength.ndim != 1 or not is_one_grid:
            raise ValueError(f"a posterior of {shapes} points and {len(self.styles)} styles")
        if not self.styles or abs(sum(style.share for style in self.styles) - 1) > SHARE_ERROR:
            raise ValueError(f"shares of styles do not sum to 1: {self.styles}")
        if not 0 <= self.steered_deviation < math.inf:
            raise ValueError(f"a deviation of {self.steered_deviation} Elo in steered games")
        for values in (self.strength, self.apparent, self.steered):
            values.flags.writeable = False

    @classmethod
    def of_stranger(
        cls,
        lowest_elo: float,
        highest_elo: float,
        *,
        mean_elo: float | None = None,
        deviation_elo: float | None = None,
        styles: Sequence[PlayerStyle] = USUAL_STYLES,
        steered_deviation: float = 0.0,
    ) -> Self:
        """Returns the prior of an unknown player, on a ladder from lowest_elo to highest_elo.

        A normal distribution, by default around the middle between random play and the strongest:
        few players lose on purpose. Raises ValueError on a ladder without height.
        """
        if not highest_elo > lowest_elo:
            raise ValueError(f"a ladder from {lowest_elo} to {highest_elo} Elo")
        usual_mean, usual_deviation = stranger_moments(lowest_elo, highest_elo)
        mean = usual_mean if mean_elo is None else mean_elo
        deviation_elo = usual_deviation if deviation_elo is None else deviation_elo
        first = lowest_elo - MARGIN_ELO
        points = math.ceil((highest_elo - lowest_elo + 2 * MARGIN_ELO) / STEP_ELO) + 1
        grid = elos_from(first, STEP_ELO, points)
        prior = from_highest(-0.5 * ((grid - mean) / deviation_elo) ** 2)
        return cls.of_density(first, styles, prior, steered_deviation=steered_deviation)

    @classmethod
    def of_density(
        cls,
        first: float,
        styles: Sequence[PlayerStyle],
        known: Grid,
        *,
        steered: Grid | None = None,
        steered_deviation: float = 0.0,
    ) -> Self:
        """Returns the posterior with this log density of s [points], before any move is judged.

        steered: [points] the log likelihood of e, contained in `known`; None: of no game.
        """
        grid = elos_from(first, STEP_ELO, len(known))
        apparent = np.stack([style.reach(grid) for style in styles])
        steered = np.zeros(len(known)) if steered is None else steered
        flat = np.zeros(len(known))
        blank = cls(first, tuple(styles), flat, apparent, steered, steered_deviation)
        contained = log_of(blank._by_games(np.exp(apparent), np.exp(steered)))
        return replace(blank, strength=from_highest(known - contained))

    # ---- The belief

    @property
    def grid(self) -> Grid:
        """[points] the Elo of each point, rising."""
        return elos_from(self.lowest_elo, self.step_elo, len(self.strength))

    @property
    def density(self) -> Grid:
        """[points] the probability of each point by prior, results and moves; sum 1."""
        return _density(self)

    @property
    def steered_density(self) -> Grid:
        """[points] the probability of each point as the strength in steered games; sum 1."""
        return _steered_density(self)

    @property
    def frame(self) -> tuple[object, ...]:
        """The grid and the offsets: evidence on the same ones can be added."""
        grid = self.lowest_elo, self.step_elo, len(self.strength)
        return *grid, self.styles, self.steered_deviation

    @property
    def mean(self) -> float:
        """The expected strength, in Elo."""
        return float(self.density @ self.grid)

    @property
    def deviation(self) -> float:
        """The standard deviation of the strength, in Elo."""
        density, grid = self.density, self.grid
        return math.sqrt(float(density @ (grid - density @ grid) ** 2))

    def interval(self, probability: float = 0.95) -> tuple[float, float]:
        """Returns the central interval of the strength with this probability, in Elo.

        Raises ValueError on a probability outside 0..1.
        """
        if not 0 < probability < 1:
            raise ValueError(f"{probability} is not a probability between 0 and 1")
        # Each point stands for the step around it, with even probability within the step.
        edges = elos_from(
            self.lowest_elo - self.step_elo / 2, self.step_elo, len(self.strength) + 1
        )
        below = np.zeros(len(edges))
        np.cumsum(self.density, out=below[1:])
        tail = (1 - probability) / 2
        low, high = np.interp([tail, 1 - tail], below, edges)
        return float(low), float(high)

    # ---- Evidence

    def after_results(
        self, level_elo: float, points: float, *, bonus_elo: float | Grid = 0.0, games: float = 1.0
    ) -> Posterior:
        """Returns the posterior after results against a level of the ladder.

        points: the opponent's score in `games`. bonus_elo: the opponent's advantage by handicap,
        komi and color, one number or [points of the grid]. games: below 1 a game of less weight.
        Raises ValueError on more points than games.
        """
        if not 0 <= points <= games:
            raise ValueError(f"{points} points of {games} games")
        ahead = (self.grid + bonus_elo - level_elo) / POINTS_PER_LOG_ODDS
        likelihood = log_likelihood_of(ahead, points, games)
        return replace(self, strength=from_highest(self.strength + likelihood))

    def reweighed(self, log_weight: Grid) -> Posterior:
        """Returns the posterior with the density of s times this weight; log_weight: [points].

        Raises ValueError on another shape or a number that is not finite.
        """
        _check(log_weight, self.strength)
        return replace(self, strength=from_highest(self.strength + log_weight))

    def after_steered_game(self, log_likelihood: Grid) -> Posterior:
        """Returns the posterior after the result of a steered game; log_likelihood: [points] of e.

        Raises ValueError on another shape or a number that is not finite.
        """
        _check(log_likelihood, self.steered)
        return replace(self, steered=from_highest(self.steered + log_likelihood))

    def after_move(self, log_likelihood: Tables) -> Posterior:
        """Returns the posterior after a move; log_likelihood: [styles, points].

        Raises ValueError on another shape or a number that is not finite.
        """
        _check(log_likelihood, self.apparent)
        return replace(self, apparent=from_highest(self.apparent + log_likelihood))

    def with_evidence(self, before: Posterior, after: Posterior) -> Posterior:
        """Returns this posterior with the change from `before` to `after` added.

        Returns `after` if the three have different frames.
        """
        if not self.frame == before.frame == after.frame:
            return after
        return replace(
            self,
            strength=from_highest(self.strength + after.strength - before.strength),
            apparent=from_highest(self.apparent + after.apparent - before.apparent),
            steered=from_highest(self.steered + after.steered - before.steered),
        )

    def restyled(
        self, styles: Sequence[PlayerStyle], steered_deviation: float | None = None
    ) -> Posterior:
        """Returns the same density with these styles and this deviation; None: the present one.

        With other styles than before, the evidence of earlier moves becomes part of `strength`;
        with another deviation, that of earlier steered games does too.
        """
        deviation = self.steered_deviation if steered_deviation is None else steered_deviation
        is_same = deviation == self.steered_deviation
        if tuple(styles) == self.styles and is_same:
            return self
        return self.of_density(
            self.lowest_elo,
            styles,
            log_of(self.density),
            steered=self.steered if is_same else None,
            steered_deviation=deviation,
        )

    def drifted(self, days: float = 0.0, change_elo: float = 0.0) -> Posterior:
        """Returns the posterior before another game, so many days after the last one.

        change_elo: deviation of any further change in strength. The apparent level drifts with the
        strength, because habits stay, and so does the strength in steered games. The density of the
        strength is blurred exactly; the likelihoods of the other two are blurred as if each drifted
        alone. Raises ValueError on negative days.
        """
        if days < 0:
            raise ValueError(f"{days} days since the last game")
        drift = drift_kernel(len(self.strength), self.step_elo, days, change_elo)
        later = self.density @ drift
        apparent: Tables = np.exp(self.apparent) @ drift.T
        steered: Grid = drift @ np.exp(self.steered)
        by_games = self._by_games(apparent, steered)
        return replace(
            self,
            strength=from_highest(log_of(later) - log_of(by_games)),
            apparent=from_highest(log_of(apparent)),
            steered=from_highest(log_of(steered)),
        )

    def _by_games(self, apparent: Tables, steered: Grid) -> Grid:
        """Returns [points] the likelihood of each strength by moves and steered games.

        apparent: [styles, points] the moves' likelihood of each apparent level. steered: [points]
        the results' likelihood of each strength in steered games.
        """
        total: Grid = self._by_moves(apparent) * (self._steering @ steered)
        return total

    def _by_moves(self, apparent: Tables) -> Grid:
        """Returns [points] the moves' likelihood of each strength; apparent: as in _by_games."""
        offsets = _offsets(len(self.strength), self.step_elo, self.styles)
        total: Grid = offsets @ apparent.ravel()
        return total

    @property
    def _steering(self) -> Kernel:
        """[points, points] the probability of each strength in steered games, from each s."""
        return normal_around(len(self.strength), self.step_elo, self.steered_deviation)

    # ---- JSON

    def to_json(self) -> dict[str, Any]:
        """Returns all fields as JSON values, the densities as base64; from_json reads them."""
        return {
            "lowest_elo": self.lowest_elo,
            "step_elo": self.step_elo,
            "styles": [list(style.numbers) for style in self.styles],
            "strength": written_densities(self.strength),
            "apparent": written_densities(self.apparent),
            "steered": written_densities(self.steered),
            "steered_deviation": self.steered_deviation,
        }

    @classmethod
    def from_json(cls, data: dict[str, Any]) -> Self:
        """Reads the values of to_json. Raises ValueError on anything else.

        Older values have no `steered`: the results of steered games are in `strength`.
        """
        try:
            styles = tuple(PlayerStyle(*map(finite, numbers)) for numbers in data["styles"])
            strength, steered = read_densities(data["strength"]), data.get("steered")
            posterior = cls(
                lowest_elo=finite(data["lowest_elo"]),
                styles=styles,
                strength=strength,
                apparent=read_densities(data["apparent"]).reshape(len(styles), -1),
                steered=np.zeros(len(strength)) if steered is None else read_densities(steered),
                steered_deviation=finite(data.get("steered_deviation", 0.0)),
                step_elo=finite(data["step_elo"]),
            )
        except (LookupError, TypeError, ValueError, OverflowError) as error:
            raise ValueError(f"not a posterior: {error}") from error
        points = len(posterior.strength)
        if points > MOST_POINTS or len(styles) > MOST_STYLES or posterior.step_elo < LEAST_STEP_ELO:
            raise ValueError(f"not a posterior: {points} points and {len(styles)} styles")
        return posterior


def stranger_moments(lowest_elo: float, highest_elo: float) -> tuple[float, float]:
    """Returns the mean and the deviation of an unknown player's strength on a ladder, in Elo."""
    worst = min(max(lowest_elo, 0.0), highest_elo)
    share = PRIOR_SHARE * (highest_elo - worst)
    return (worst + highest_elo) / 2, max(LEAST_PRIOR_ELO, share)


@lru_cache(maxsize=64)
def _density(posterior: Posterior) -> Grid:
    """Returns [points] the density, cached because a move needs it many times."""
    by_games = posterior._by_games(np.exp(posterior.apparent), np.exp(posterior.steered))
    return _normalized(np.exp(posterior.strength) * by_games)


@lru_cache(maxsize=64)
def _steered_density(posterior: Posterior) -> Grid:
    """Returns [points] the density in steered games, cached for the same reason."""
    by_moves = np.exp(posterior.strength) * posterior._by_moves(np.exp(posterior.apparent))
    return _normalized(np.exp(posterior.steered) * (by_moves @ posterior._steering))


def _check(values: Grid | Tables, known: Grid | Tables) -> None:
    """Raises ValueError on evidence of another shape, or with a number that is not finite."""
    if values.shape != known.shape or not np.isfinite(values).all():
        raise ValueError(f"log likelihoods of {values.shape} points, or not finite")


def _normalized(density: Grid) -> Grid:
    """Returns the density with sum 1, unwritable."""
    density = density / density.sum()
    density.flags.writeable = False
    return density


@lru_cache(maxsize=16)
def _offsets(points: int, step_elo: float, styles: tuple[PlayerStyle, ...]) -> Kernel:
    """Returns [points, styles * points] from each strength the apparent levels in all styles."""
    kernels = [style.share * normal_around(points, step_elo, style.deviation) for style in styles]
    return np.hstack(kernels)
