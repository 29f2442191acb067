"""How strong an opponent is, as a distribution over ladder Elo that every game and move sharpens.

Knows Bayes' rule on a grid of Elo, results by the Elo formula, and that moves show a level which is
not quite the strength. Does not know games, what makes a move likely, or whose opponent it is.

A result speaks of the strength s itself. A move speaks of an apparent level a, for the table that
judges it was learned from other players: a stranger who wins like them may move like weaker or
stronger ones. His offset a - s is the same in all his games, so no number of moves finds s better
than the offset is known in advance. And there are styles, with a table each: he has one of them,
which his moves tell as well. A style's table knows nothing of players far from those it was learned
from, hence its reach: beyond, others have it. So there are functions over the grid for the
strength and for each style k, with N the normal distribution of the offset in that style:

    p(s | all) ~ strength(s) * sum over k of share_k * sum over a of N_k(a - s) * apparent_k(a)

where apparent_k begins as k's reach, and strength as what makes p the prior then.

That is Skilloscopy's product of likelihoods (Di Fatta, Haworth, Regan 2009), the offset added.
"""

from __future__ import annotations

import math
from base64 import b64decode, b64encode
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from engine.util.elo import EVERYWHERE_ELO, POINTS_PER_LOG_ODDS

Grid = NDArray[np.float64]  # [points], one value an Elo of the grid
Tables = NDArray[np.float64]  # [styles, points]
Kernel = NDArray[np.float64]  # [points, points], rows sum to 1

STEP_ELO = 25.0
MARGIN_ELO = 600.0  # of the grid on both sides of the ladder
PRIOR_SHARE = 1 / 3  # of the span above random play: the deviation of a stranger's strength
LEAST_PRIOR_ELO = 400.0  # that deviation at least
SHARE_ERROR = 1e-6  # by which shares may miss their sum

GAME_DRIFT_ELO = 15.0  # deviation of what a strength changes by from one game to the next
DAY_DRIFT_ELO = 8.0  # in a day; in n days the square root of n times as much
JUMP_CHANCE = 0.01  # that before a game the strength is another: a new player, or one who shammed
JUMP_ELO = 400.0  # deviation of such a change

REACH_ELO = 100.0  # deviation of apparent levels beyond those that a style's table has seen
LEAST_LOG = -60.0  # log densities below the highest one by more are kept as this
MOST_POINTS, MOST_STYLES = 1000, 16  # of what is read; a ladder of 5,000 Elo has 250 points
LEAST_STEP_ELO = 1.0
WRITTEN = np.dtype("<f4")  # log densities, where they are written down


@dataclass(frozen=True, slots=True)
class PlayerStyle:
    """One manner of playing, as far as moves tell the strength of those who have it."""

    share: float  # of strangers; all shares sum to 1
    deviation: float  # Elo, of their apparent level from their strength
    lowest_elo: float = -EVERYWHERE_ELO  # apparent levels of those its table was learned from
    highest_elo: float = EVERYWHERE_ELO

    def __post_init__(self) -> None:
        """ValueError quotes numbers that cannot be."""
        if not (0 < self.share <= 1 and 0 <= self.deviation < math.inf):
            raise ValueError(f"a style's share {self.share} and deviation {self.deviation}")
        if not self.lowest_elo <= self.highest_elo:
            raise ValueError(f"a style from {self.lowest_elo} to {self.highest_elo} Elo")

    @property
    def numbers(self) -> tuple[float, float, float, float]:
        """All of it, in the order of the fields."""
        return self.share, self.deviation, self.lowest_elo, self.highest_elo

    def reach(self, grid: Grid) -> Grid:
        """The log of how well its table knows players of each apparent level: 0 where it does."""
        beyond = grid - np.clip(grid, self.lowest_elo, self.highest_elo)
        reached: Grid = np.maximum(-0.5 * (beyond / REACH_ELO) ** 2, LEAST_LOG)
        return reached


USUAL_STYLES = (PlayerStyle(1.0, 150.0),)  # where a ladder has not measured them


@dataclass(frozen=True, slots=True, eq=False)
class Posterior:
    """What is known of one opponent's strength; each method gives a new value."""

    lowest_elo: float  # the grid's first point
    styles: tuple[PlayerStyle, ...]
    strength: Grid  # log density of s by prior and results, the highest 0
    apparent: Tables  # [styles, points], log likelihood of a by moves, the highest of all 0
    step_elo: float = STEP_ELO

    def __post_init__(self) -> None:
        """ValueError where the functions are not over one grid."""
        shapes = self.strength.shape, self.apparent.shape
        if self.strength.ndim != 1 or shapes[1] != (len(self.styles), *shapes[0]):
            raise ValueError(f"a posterior of {shapes} points and {len(self.styles)} styles")
        if not self.styles or abs(sum(style.share for style in self.styles) - 1) > SHARE_ERROR:
            raise ValueError(f"shares of styles do not sum to 1: {self.styles}")
        for values in (self.strength, self.apparent):
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
    ) -> Self:
        """What is believed of somebody never met, on a ladder from lowest_elo to highest_elo.

        A normal distribution, by default around the middle between random play and the strongest:
        few lose on purpose. ValueError where the ladder has no height.
        """
        if not highest_elo > lowest_elo:
            raise ValueError(f"a ladder from {lowest_elo} to {highest_elo} Elo")
        worst = min(max(lowest_elo, 0.0), highest_elo)
        mean = (worst + highest_elo) / 2 if mean_elo is None else mean_elo
        if deviation_elo is None:
            deviation_elo = max(LEAST_PRIOR_ELO, PRIOR_SHARE * (highest_elo - worst))
        first = lowest_elo - MARGIN_ELO
        points = math.ceil((highest_elo - lowest_elo + 2 * MARGIN_ELO) / STEP_ELO) + 1
        grid = _elos(first, STEP_ELO, points)
        prior = _from_highest(-0.5 * ((grid - mean) / deviation_elo) ** 2)
        return cls._unseen(first, styles, prior)

    @classmethod
    def _unseen(cls, first: float, styles: Sequence[PlayerStyle], known: Grid) -> Self:
        """With that log density, whatever the styles, before any move was seen."""
        grid = _elos(first, STEP_ELO, len(known))
        apparent = np.stack([style.reach(grid) for style in styles])
        blank = cls(first, tuple(styles), np.zeros(len(known)), apparent)
        reached = _log(blank._by_moves(np.exp(apparent)))
        return replace(blank, strength=_from_highest(known - reached))

    # ---- What is known

    @property
    def grid(self) -> Grid:
        """The Elo of each point, rising."""
        return _elos(self.lowest_elo, self.step_elo, len(self.strength))

    @property
    def density(self) -> Grid:
        """The probability of each point of the grid, prior, results and moves together."""
        return _density(self)

    @property
    def mean(self) -> float:
        """The strength expected, in Elo."""
        return float(self.density @ self.grid)

    @property
    def deviation(self) -> float:
        """The standard deviation of what is believed, in Elo."""
        density, grid = self.density, self.grid
        return math.sqrt(float(density @ (grid - density @ grid) ** 2))

    def interval(self, probability: float = 0.95) -> tuple[float, float]:
        """Between which two Elo the strength lies with that probability, tails alike."""
        if not 0 < probability < 1:
            raise ValueError(f"{probability} is not a probability between 0 and 1")
        # Each point stands for the step around it, within which the probability is even.
        edges = _elos(self.lowest_elo - self.step_elo / 2, self.step_elo, len(self.strength) + 1)
        below = np.zeros(len(edges))
        np.cumsum(self.density, out=below[1:])
        tail = (1 - probability) / 2
        low, high = np.interp([tail, 1 - tail], below, edges)
        return float(low), float(high)

    # ---- What is learned

    def after_results(
        self, level_elo: float, points: float, *, bonus_elo: float | Grid = 0.0, games: float = 1.0
    ) -> Posterior:
        """Having scored so many points in so many games against a level of the ladder.

        bonus_elo: what the opponent was given, by handicap, komi and color, which may be another
        number for each Elo of the grid. Fewer than one game is a game that tells less than one.
        ValueError where the points are more than games.
        """
        if not 0 <= points <= games:
            raise ValueError(f"{points} points of {games} games")
        ahead = (self.grid + bonus_elo - level_elo) / POINTS_PER_LOG_ODDS
        likelihood = -points * np.logaddexp(0, -ahead) - (games - points) * np.logaddexp(0, ahead)
        return replace(self, strength=_from_highest(self.strength + likelihood))

    def after_outcome(self, log_likelihood: Grid) -> Posterior:
        """A result that players of each Elo of the grid come to with these probabilities."""
        if log_likelihood.shape != self.strength.shape or not np.isfinite(log_likelihood).all():
            raise ValueError(f"log likelihoods of {log_likelihood.shape} points, or not finite")
        return replace(self, strength=_from_highest(self.strength + log_likelihood))

    def after_move(self, log_likelihood: Tables) -> Posterior:
        """Having made a move that players of each style and Elo make with these probabilities."""
        if log_likelihood.shape != self.apparent.shape or not np.isfinite(log_likelihood).all():
            raise ValueError(f"log likelihoods of {log_likelihood.shape} points, or not finite")
        return replace(self, apparent=_from_highest(self.apparent + log_likelihood))

    def with_evidence(self, before: Posterior, after: Posterior) -> Posterior:
        """Having learned what led from `before` to `after`; by other tables `after` itself."""
        tables = {
            (each.lowest_elo, each.step_elo, len(each.strength), each.styles)
            for each in (self, before, after)
        }
        if len(tables) > 1:
            return after
        return replace(
            self,
            strength=_from_highest(self.strength + after.strength - before.strength),
            apparent=_from_highest(self.apparent + after.apparent - before.apparent),
        )

    def restyled(self, styles: Sequence[PlayerStyle]) -> Posterior:
        """The same belief, from now on judged by tables of these styles.

        By other tables than so far, what moves said counts as known of the strength.
        """
        if tuple(styles) == self.styles:
            return self
        return self._unseen(self.lowest_elo, styles, _log(self.density))

    def drifted(self, days: float = 0.0, change_elo: float = 0.0) -> Posterior:
        """Before another game, so many days after the last.

        change_elo: deviation of what else has changed the strength meanwhile. The strength drifts,
        and the apparent level with it, for habits stay. What is known of the strength is blurred
        exactly; of the apparent level it is blurred as if it had drifted alone.
        """
        if days < 0:
            raise ValueError(f"{days} days since the last game")
        drift = _drift(len(self.strength), self.step_elo, days, change_elo)
        later = self.density @ drift
        apparent: Tables = np.exp(self.apparent) @ drift.T
        return replace(
            self,
            strength=_from_highest(_log(later) - _log(self._by_moves(apparent))),
            apparent=_from_highest(_log(apparent)),
        )

    def _by_moves(self, apparent: Tables) -> Grid:
        """The likelihood of each strength by moves, those of each apparent level being given."""
        offsets = _offsets(len(self.strength), self.step_elo, self.styles)
        total: Grid = offsets @ apparent.ravel()
        return total

    # ---- On paper

    def to_json(self) -> dict[str, Any]:
        """All of it as plain values, the densities as base64; from_json reads them."""
        return {
            "lowest_elo": self.lowest_elo,
            "step_elo": self.step_elo,
            "styles": [list(style.numbers) for style in self.styles],
            "strength": _written(self.strength),
            "apparent": _written(self.apparent),
        }

    @classmethod
    def from_json(cls, data: dict[str, Any]) -> Self:
        """What to_json wrote. ValueError where it is something else."""
        try:
            styles = tuple(PlayerStyle(*map(finite, numbers)) for numbers in data["styles"])
            posterior = cls(
                lowest_elo=finite(data["lowest_elo"]),
                styles=styles,
                strength=_read(data["strength"]),
                apparent=_read(data["apparent"]).reshape(len(styles), -1),
                step_elo=finite(data["step_elo"]),
            )
        except (LookupError, TypeError, ValueError, OverflowError) as error:
            raise ValueError(f"not a posterior: {error}") from error
        points = len(posterior.strength)
        if points > MOST_POINTS or len(styles) > MOST_STYLES or posterior.step_elo < LEAST_STEP_ELO:
            raise ValueError(f"not a posterior: {points} points and {len(styles)} styles")
        return posterior


@lru_cache(maxsize=64)
def _elos(first: float, step: float, points: int) -> Grid:
    elos = np.linspace(first, first + step * (points - 1), points, dtype=np.float64)
    elos.flags.writeable = False
    return elos


@lru_cache(maxsize=64)
def _density(posterior: Posterior) -> Grid:
    """Its density, which is asked for many times a move."""
    density: Grid = np.exp(posterior.strength) * posterior._by_moves(np.exp(posterior.apparent))
    density /= density.sum()
    density.flags.writeable = False
    return density


def _written(values: Grid | Tables) -> str:
    return b64encode(values.astype(WRITTEN).tobytes()).decode()


def _read(values: str | Sequence[Any]) -> Grid:
    """The values that _written wrote, in a row; older versions wrote a list.

    ValueError where they are none, or not finite.
    """
    if isinstance(values, str):
        read = np.frombuffer(b64decode(values, validate=True), WRITTEN).astype(np.float64)
    else:
        read = np.asarray(values, dtype=np.float64).ravel()
    if not (len(read) > 0 and np.isfinite(read).all()):
        raise ValueError(f"a density of {len(read)} points, or not finite")
    is_written = read.max() == 0 and read.min() >= LEAST_LOG
    return read if is_written else _from_highest(read)


def finite(value: object, most: float = EVERYWHERE_ELO) -> float:
    """The number that a file or a row holds. ValueError quotes one that is beyond `most`."""
    if not isinstance(value, (int, float)) or isinstance(value, bool) or not abs(value) <= most:
        raise ValueError(f"{repr(value)[:80]} is no number up to {most:g}")
    return float(value)


def _from_highest(values: Grid) -> Grid:
    """Log densities with the highest at 0 and none too low to come back from."""
    kept: Grid = np.maximum(values - values.max(), LEAST_LOG)
    return kept


def _log(values: Grid) -> Grid:
    logs: Grid = np.log(np.maximum(values, 1e-300))
    return logs


@lru_cache(maxsize=64)
def _normal(points: int, step_elo: float, deviation_elo: float) -> Kernel:
    """[points, points], from each point the normal distribution around it, kept on the grid."""
    steps = np.arange(points)
    if deviation_elo <= 0:
        return np.eye(points)
    apart = (steps[None, :] - steps[:, None]) * step_elo / deviation_elo
    kernel: Kernel = np.exp(-0.5 * apart**2)
    kernel /= kernel.sum(axis=1, keepdims=True)
    kernel.flags.writeable = False
    return kernel


@lru_cache(maxsize=16)
def _offsets(points: int, step_elo: float, styles: tuple[PlayerStyle, ...]) -> Kernel:
    """[points, styles * points], from each strength the apparent levels in all styles."""
    kernels = [style.share * _normal(points, step_elo, style.deviation) for style in styles]
    return np.hstack(kernels)


def _drift(points: int, step_elo: float, days: float, change_elo: float) -> Kernel:
    """[now, later], the probability of each change before another game."""
    slow = math.sqrt(GAME_DRIFT_ELO**2 + days * DAY_DRIFT_ELO**2 + change_elo**2)
    usual = _normal(points, step_elo, slow)
    jump = _normal(points, step_elo, math.hypot(slow, JUMP_ELO))
    kernel: Kernel = (1 - JUMP_CHANCE) * usual + JUMP_CHANCE * jump
    return kernel
