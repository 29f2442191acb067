"""Which level to play at and which positions to go for, so that a game is won as often as wanted.

Knows what is believed of the opponent, how the game stands and what comes of it; chooses a point of
the ladder, and how likely each move is made for an even game. Does not know how a level plays.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, Self

import numpy as np

from engine.records import Standing
from engine.strength.given import NOTHING, Given
from engine.strength.outcome import Outcome, unsettled
from engine.strength.posterior import Grid, Posterior

LEAST_CHANCE = 0.05  # that can be wanted, of either side
MOST_CAUTION = 5.0  # deviations
CHANCE, FAIR = "chance", "fair"  # in an aim's text
NUMBERS = (CHANCE, "closeness", "caution")  # fields of an aim that its text can tell
HALVINGS = 14  # of the ladder, until the level is found
FAIR_PHASE = 0.8  # from here on the last moves are played
NEAR = 0.1  # how far a position's chance may be from the wanted one to be liked, late in a game
NEAR_BEHIND, NEAR_AHEAD = 0.2, 3.0  # the same at the beginning, of those behind and ahead of it
PAID_BACK = 0.12  # of a surplus, in a game
SLACK = 0.15  # by which the chance expected of a move may be above the wanted one at first
STEEPEST = 40.0  # nats for a chance of 1 more, that no move is tilted by beyond
LATE_PHASE = 0.7  # from here on there is no time to make good what was misjudged


@dataclass(frozen=True, slots=True)
class Aim:
    """What the controller is to bring about: the strength of a persona that plays evenly."""

    chance: float = 0.5  # of our winning, a draw counting half
    closeness: float = 1.0  # of the position's part: 0 plays at the opponent's level all the time
    most_change_elo: float = 600.0  # of the level from one move to the next
    # Deviations above the mean that the opponent is taken for at the beginning; late none.
    caution: float = 2.5
    fair_ending: bool = False  # the last moves are played at the opponent's level, without steering

    def __post_init__(self) -> None:
        """ValueError quotes what cannot be aimed at."""
        if not LEAST_CHANCE <= self.chance <= 1 - LEAST_CHANCE:
            raise ValueError(f"chance {self.chance!r} is not {LEAST_CHANCE}..{1 - LEAST_CHANCE}")
        if not 0 <= self.closeness <= 1:
            raise ValueError(f"closeness {self.closeness!r} is not 0..1")
        if not 0 <= self.caution <= MOST_CAUTION:
            raise ValueError(f"caution {self.caution!r} is not 0..{MOST_CAUTION:g}")

    @classmethod
    def read(cls, text: str) -> Self:
        """The aim that a persona's argument names, any of "60%:closeness=0.5:caution=0:fair".

        A number alone is the chance. ValueError quotes a part that is none.
        """
        told: dict[str, Any] = {}
        for part in text.split(":") if text else ():
            name, value = _part(part)
            if name in told:
                raise ValueError(f"{part!r} tells {name} again")
            try:
                cls(**{name: value})
            except ValueError as error:
                raise ValueError(f"{part!r}: {error}") from error
            told[name] = value
        return cls(**told)

    def paying_back(self, surplus: float) -> Self:
        """The aim where games were won beyond what was wanted, or lost where that is below 0.

        What is believed of an opponent explains results; that alone may leave a bias, this doesn't.
        """
        chance = self.chance - PAID_BACK * surplus
        return replace(self, chance=min(max(chance, LEAST_CHANCE), 1 - LEAST_CHANCE))

    @property
    def text(self) -> str:
        """What read makes this aim of; fields that have no name there are left out."""
        usual = type(self)()
        numbers = {name: getattr(self, name) for name in NUMBERS}
        parts = [
            f"{name}={value!r}" for name, value in numbers.items() if value != getattr(usual, name)
        ]
        return ":".join([*parts, *([FAIR] if self.fair_ending else [])])


def _part(text: str) -> tuple[str, Any]:
    """The field of an aim that a part of its text tells, and the value."""
    if text == FAIR:
        return "fair_ending", True
    name, told, number = text.rpartition("=")
    name = name if told else CHANCE
    if name not in NUMBERS:
        raise ValueError(f"{text!r} is none of {', '.join(f'{each}=' for each in NUMBERS)}, {FAIR}")
    try:
        return name, float(number.removesuffix("%")) / (100 if number.endswith("%") else 1)
    except ValueError as error:
        raise ValueError(f"{text!r}: {name} {number!r} is no number") from error


@dataclass(frozen=True, slots=True)
class Steering:
    """What was decided and what is expected of it."""

    level_elo: float  # for the rest of the game, from the position as it stands
    chance: float  # of our winning with play at that level


@dataclass(frozen=True, slots=True)
class Controller:
    """Steers one move: an aim, an opponent as he is believed to be, a ladder's outcomes."""

    aim: Aim
    posterior: Posterior
    outcome: Outcome
    lowest_elo: float
    highest_elo: float
    given: Given = NOTHING  # to the opponent, before the first move

    def steer(self, standing: Standing, before_elo: float | None = None) -> Steering:
        """The level that wins as often as wanted from here.

        before_elo: that of our last move, from which it may not change by more than the aim says.
        """
        low, high = self.lowest_elo, self.highest_elo
        weights = self._feared(standing.phase)
        if before_elo is not None:
            low = min(max(low, before_elo - self.aim.most_change_elo), high)
            high = max(min(high, before_elo + self.aim.most_change_elo), low)
        level = self._level(standing, low, high, weights)
        return Steering(level, self.chance(level, standing))

    def chance(self, level_elo: float, standing: Standing) -> float:
        """How often play at the level wins from there, over all that the opponent may be."""
        return self._averaged(level_elo, standing, self.posterior.density)

    def preferred(self, standings: Sequence[Standing | None], natural: Grid) -> Grid:
        """[moves] probabilities near natural ones, by which a game is won as often as wanted.

        standings: of the positions after each move as they are for us, None where nobody looked:
        such a move is taken for as good as the worst. natural: the level's own probabilities,
        which are kept without closeness.

        Positions near the wanted chance are liked. What is lost early is not won back from the
        strong, but a lead can be given back while the game goes on: so early those ahead of it are
        liked longer. Then all are tilted, by as little as does it (the least divergence), until the
        chance expected of the draw is the wanted one. A move that has no chance keeps none.
        """
        if not self._closeness(standings):
            return natural
        phase = next(standing.phase for standing in standings if standing is not None)
        weights = self._feared(phase)
        known = [None if each is None else self._kept_even(each, weights) for each in standings]
        worst = min((chance for chance in known if chance is not None), default=self.aim.chance)
        chances = np.array([worst if chance is None else chance for chance in known])
        apart = chances - self.aim.chance
        early = np.array([0.0 if e is not None and e.over else _early(phase) for e in standings])
        behind = NEAR * (1 + (NEAR_BEHIND - 1) * early)
        ahead = NEAR * (1 + (NEAR_AHEAD - 1) * early)
        scale = np.where(apart < 0, behind, ahead)
        nearness = -0.5 * (self._closeness(standings) * apart / scale) ** 2
        near = natural * np.exp(nearness - nearness[natural > 0].max())
        return tilted(near, chances, self.aim.chance, self.aim.chance + SLACK * _early(phase))

    def _closeness(self, standings: Sequence[Standing | None]) -> float:
        phases = [standing.phase for standing in standings if standing is not None]
        if not phases or (self.aim.fair_ending and phases[0] >= FAIR_PHASE):
            return 0.0
        return self.aim.closeness

    def _level(self, standing: Standing, low: float, high: float, weights: Grid) -> float:
        for _ in range(HALVINGS):
            middle = (low + high) / 2
            if self._averaged(middle, standing, weights) < self.aim.chance:
                low = middle
            else:
                high = middle
        return (low + high) / 2

    def _feared(self, phase: float) -> Grid:
        """What is believed of an opponent taken for stronger, the more the younger the game is."""
        caution = self.aim.caution * _early(phase)
        return cautious(self.posterior.density, caution, self.posterior.grid)

    def _averaged(self, level_elo: float, standing: Standing, weights: Grid) -> float:
        closeness = self._closeness([standing])
        strengths = self._strengths(level_elo, standing)
        chances = self.outcome.chances(level_elo, strengths, standing, closeness=closeness)
        return float(weights @ chances)

    def _kept_even(self, standing: Standing, weights: Grid) -> float:
        """How often who keeps the game even from there wins it."""
        strengths = self._strengths(self.posterior.mean, standing)
        closeness = self._closeness([standing])
        return float(
            weights @ self.outcome.steered_chances(strengths, standing, closeness=closeness)
        )

    def _strengths(self, level_elo: float, standing: Standing) -> Grid:
        """The posterior's grid with what the opponent was given, against play at the level."""
        grid = self.posterior.grid
        return grid + unsettled(standing.phase) * self.given.between(level_elo, grid)


def tilted(weights: Grid, chances: Grid, least: float, most: float) -> Grid:
    """[moves] probabilities by the weights, tilted until the chance expected is within least..most.

    Where no move reaches them it is as near as STEEPEST lets it come.
    """

    def drawn(slope: float) -> Grid:
        odds = slope * chances
        found: Grid = weights * np.exp(odds - odds[weights > 0].max())
        found /= found.sum()
        return found

    expected = float(drawn(0.0) @ chances)
    wanted = min(max(expected, least), most)
    if expected == wanted:
        return drawn(0.0)
    low, high = (-STEEPEST, 0.0) if expected > wanted else (0.0, STEEPEST)
    for _ in range(HALVINGS):
        middle = (low + high) / 2
        if float(drawn(middle) @ chances) < wanted:
            low = middle
        else:
            high = middle
    return drawn((low + high) / 2)


def _early(phase: float) -> float:
    """How much of the time to make good what was misjudged is left: 1 at the start, late 0."""
    return max(0.0, 1 - phase / LATE_PHASE)


def cautious(density: Grid, deviations: float, grid: Grid) -> Grid:
    """The same belief so many of its deviations higher; what leaves the grid is at its end.

    Early in a game it is better to be too strong than too weak: a lead can be given back, but a
    strong opponent's lead cannot be taken.
    """
    if deviations <= 0:
        return density
    mean = float(density @ grid)
    shift = deviations * math.sqrt(float(density @ (grid - mean) ** 2))
    total = np.interp(grid - shift, grid, np.cumsum(density), left=0.0)
    feared: Grid = np.diff(total, prepend=0.0)
    feared[-1] += 1 - feared.sum()
    return feared
