"""Which level to play at and which positions to go for, so that a game is won as often as wanted.

Knows what is believed of the opponent, how the game stands and what comes of it; chooses a point of
the ladder, and says how good each move is for an even game. Does not know how a level plays.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Self

import numpy as np

from engine.strength.given import NOTHING, Given
from engine.strength.outcome import Outcome, Standing, unsettled
from engine.strength.posterior import Grid, Posterior

LEAST_CHANCE = 0.05  # that can be wanted, of either side
MOST_CAUTION = 5.0  # deviations
CHANCE, FAIR = "chance", "fair"  # in an aim's text
NUMBERS = (CHANCE, "closeness", "caution")  # fields of an aim that its text can tell
HALVINGS = 14  # of the ladder, until the level is found
FAIR_PHASE = 0.8  # from here on the last moves are played
LEAST_NEAR = 0.02  # the same of one behind it at the beginning
NEAR = 0.1  # how far a position's chance may be from the wanted one to be liked, at the game's end


@dataclass(frozen=True, slots=True)
class Aim:
    """What the controller is to bring about: the strength of a persona that plays evenly."""

    chance: float = 0.5  # of our winning, a draw counting half
    closeness: float = 1.0  # of the position's part: 0 plays at the opponent's level all the time
    most_change_elo: float = 600.0  # of the level from one move to the next
    # Deviations above the mean that the opponent is taken for at the beginning; half in the end.
    caution: float = 1.0
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
    matched_elo: float  # the level that would win as often as wanted if the position were even


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
        even = Standing(standing.phase, 0.5, 0.0)
        low, high = self.lowest_elo, self.highest_elo
        weights = self._feared(standing.phase)
        matched = self._level(even, low, high, weights)
        if before_elo is not None:
            low = min(max(low, before_elo - self.aim.most_change_elo), high)
            high = max(min(high, before_elo + self.aim.most_change_elo), low)
        level = self._level(standing, low, high, weights)
        return Steering(level, self.chance(level, standing), matched)

    def chance(self, level_elo: float, standing: Standing) -> float:
        """How often play at the level wins from there, over all that the opponent may be."""
        return self._averaged(level_elo, standing, self.posterior.density)

    def preferences(self, steering: Steering, standings: Sequence[Standing | None]) -> Grid:
        """[moves] in 0..1, how near each leads to a game that is won as often as wanted.

        standings: of the positions after each move as they are for us, None where nobody looked:
        such a move is taken for as good as the worst. Nothing is preferred without closeness.
        """
        if not self._closeness(standings):
            return np.ones(len(standings))
        phase = next(standing.phase for standing in standings if standing is not None)
        weights = self._feared(phase)
        chances = [
            None if each is None else self._averaged(steering.matched_elo, each, weights)
            for each in standings
        ]
        known = [chance for chance in chances if chance is not None]
        worst = min(known, default=self.aim.chance)
        apart = np.array([worst if c is None else c for c in chances]) - self.aim.chance
        # What is lost early is not won back from the strong; a lead can be given back any time.
        behind, ahead = NEAR * phase, NEAR * (3 - 2 * phase)
        scale = np.where(apart < 0, max(behind, LEAST_NEAR), ahead)
        near: Grid = np.exp(-0.5 * (self._closeness(standings) * apart / scale) ** 2)
        return near

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
        caution = self.aim.caution * (1 - 0.5 * phase)
        return cautious(self.posterior.density, caution, self.posterior.grid)

    def _averaged(self, level_elo: float, standing: Standing, weights: Grid) -> float:
        closeness = self._closeness([standing])
        grid = self.posterior.grid
        strengths = grid + unsettled(standing.phase) * self.given.between(level_elo, grid)
        chances = self.outcome.chances(level_elo, strengths, standing, closeness=closeness)
        return float(weights @ chances)


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
