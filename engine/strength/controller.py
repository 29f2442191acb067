"""Which level to play at, so that the game is won as often as wanted.

Knows what is believed of the opponent, how the game stands and what comes of it; chooses a point of
the ladder. Does not know how a level plays.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Self

import numpy as np

from engine.strength.outcome import Outcome, Standing
from engine.strength.posterior import Grid, Posterior

LEAST_CHANCE = 0.05  # that can be wanted, of either side
HALVINGS = 30  # of the ladder, until the level is found
FAIR_PHASE = 0.8  # from here on the last moves are played


@dataclass(frozen=True, slots=True)
class Aim:
    """What the controller is to bring about: the strength of a persona that plays evenly."""

    chance: float = 0.5  # of our winning, a draw counting half
    closeness: float = 1.0  # of the position's part: 0 plays at the opponent's level all the time
    most_change_elo: float = 600.0  # of the level from one move to the next
    caution: float = 1.0  # deviations above the mean that a stranger is taken for at the beginning
    fair_ending: bool = False  # the last moves are played at the opponent's level, without steering

    def __post_init__(self) -> None:
        """ValueError quotes what cannot be aimed at."""
        if not LEAST_CHANCE <= self.chance <= 1 - LEAST_CHANCE:
            raise ValueError(f"chance {self.chance!r} is not {LEAST_CHANCE}..{1 - LEAST_CHANCE}")
        if not 0 <= self.closeness <= 1:
            raise ValueError(f"closeness {self.closeness!r} is not 0..1")

    @classmethod
    def read(cls, text: str) -> Self:
        """The aim that a persona's argument names: nothing, or a chance such as 0.6 or 60%."""
        if not text:
            return cls()
        try:
            chance = float(text.removesuffix("%")) / (100 if text.endswith("%") else 1)
        except ValueError as error:
            raise ValueError(f"chance {text!r} is no number") from error
        return cls(chance=chance)


@dataclass(frozen=True, slots=True)
class Steering:
    """What was decided and what is expected of it."""

    level_elo: float
    chance: float  # of our winning with play at that level


def steer(
    aim: Aim,
    posterior: Posterior,
    outcome: Outcome,
    standing: Standing,
    *,
    lowest_elo: float,
    highest_elo: float,
    before_elo: float | None = None,
) -> Steering:
    """The level that wins as often as wanted against whom the posterior describes.

    before_elo: the level of our last move, from which it may not change by more than the aim says.
    """
    closeness = aim.closeness
    if aim.fair_ending and standing.phase >= FAIR_PHASE:
        closeness = 0.0
    strengths, density = posterior.grid, posterior.density
    feared = cautious(density, aim.caution * max(0.0, 1 - 2 * standing.phase), strengths)

    def chance(level: float, weights: Grid) -> float:
        return float(weights @ outcome.chances(level, strengths, standing, closeness=closeness))

    low, high = lowest_elo, highest_elo
    if before_elo is not None:
        low = min(max(low, before_elo - aim.most_change_elo), highest_elo)
        high = max(min(high, before_elo + aim.most_change_elo), low)
    for _ in range(HALVINGS):
        middle = (low + high) / 2
        if chance(middle, feared) < aim.chance:
            low = middle
        else:
            high = middle
    level = (low + high) / 2
    return Steering(level, chance(level, density))


def cautious(density: Grid, deviations: float, grid: Grid) -> Grid:
    """The density with its upper part made heavier: its mean as many deviations higher.

    Early in a game it is better to be too strong than too weak: a lead can be given back, but a
    strong opponent's lead cannot be taken. Exact for a normal density (an exponential tilt).
    """
    if deviations <= 0:
        return density
    mean = float(density @ grid)
    deviation = math.sqrt(float(density @ (grid - mean) ** 2))
    tilted: Grid = density * np.exp(deviations * (grid - mean) / max(deviation, 1e-9))
    tilted /= tilted.sum()
    return tilted
