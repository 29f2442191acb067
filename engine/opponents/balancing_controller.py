"""Which level to play at and which positions to go for, so that a game is won as often as wanted.

Knows what is believed of the opponent, how the game stands and what comes of it; chooses a point of
the ladder, and how likely each move is made for an even game. Does not know how a level plays.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from engine.opponents.advantage import NOTHING, Advantage
from engine.opponents.balancing import Balancing
from engine.opponents.move_likelihood import basis
from engine.opponents.posterior import Grid, Posterior
from engine.opponents.win_model import WinModel, unsettled
from engine.strength.target_win_rate import TargetWinRate
from engine.values import Standing

HALVINGS = 14  # of the ladder, until the level is found
FAIR_PHASE = 0.8  # from here on the last moves are played
NEAR = 0.1  # how far a position's chance may be from the wanted one to be liked, late in a game
NEAR_BEHIND, NEAR_AHEAD = 0.2, 3.0  # the same at the beginning, of those behind and ahead of it
LEVEL_CAUTION = 0.5  # of the caution, where a level is chosen: its moves should look like theirs
SLACK = 0.15  # by which the chance expected of a move may be above the wanted one at first
KINDS = ("perverse", "careless", "greedy", "strong")  # of players, as the core knows them
# How likely who has that rank on a ladder makes a late move as one of them would, by what agents
# and levels did on 6x6 Othello and in Connect4.
KIND_RANKS = np.array([-1.0, 0.0, 1 / 6, 1 / 3, 2 / 3, 1.0])
KIND_SHARES = np.array(
    [
        [1.0, 0.0, 0.0, 0.0],
        [0.1, 0.8, 0.05, 0.05],
        [0.2, 0.25, 0.2, 0.35],
        [0.1, 0.1, 0.35, 0.45],
        [0.0, 0.05, 0.25, 0.7],
        [0.0, 0.0, 0.0, 1.0],
    ]
)
DOUBT = 0.5  # of that: so much every kind but the perverse counts whoever it is
LATE_PHASE = 0.7  # from here on there is no time to make good what was misjudged


# How the game stands after a move: by the tables of outcomes, or the chances themselves by KINDS
# where all to its end was looked at; None where nobody looked.
After = Standing | Grid | None


@dataclass(frozen=True, slots=True)
class Steering:
    """What was decided and what is expected of it."""

    level_elo: float  # for the rest of the game, from the position as it stands
    chance: float  # of our winning with play at that level


@dataclass(frozen=True, slots=True)
class Controller:
    """Steers one move: an aim, an opponent as he is believed to be, a ladder's outcomes."""

    aim: TargetWinRate
    posterior: Posterior
    outcome: WinModel
    lowest_elo: float
    highest_elo: float
    given: Advantage = NOTHING  # to the opponent, before the first move

    @property
    def wanted(self) -> float:
        """The chance to play for, which makes games against such opponents as even as is aimed at.

        Where the game stands badly it can often not be had: what is lost so, other games must win.
        """
        odds = math.log(self.aim.chance / (1 - self.aim.chance))
        return 1 / (1 + math.exp(-odds - self.outcome.leaning_at(self.posterior.mean)))

    def steer(self, standing: Standing, before_elo: float | None = None) -> Steering:
        """The level that wins as often as wanted from here.

        before_elo: that of our last move, from which it may not change by more than the aim says.
        """
        low, high = self.lowest_elo, self.highest_elo
        weights = self._feared(standing.phase, LEVEL_CAUTION)
        if before_elo is not None:
            low = min(max(low, before_elo - self.aim.most_change_elo), high)
            high = max(min(high, before_elo + self.aim.most_change_elo), low)
        level = self._level(standing, low, high, weights)
        return Steering(level, self.chance(level, standing))

    def chance(self, level_elo: float, standing: Standing) -> float:
        """How often play at the level wins from there, over all that the opponent may be."""
        return self._averaged(level_elo, standing, self.posterior.density)

    def kinds(self, phase: float) -> Grid:
        """[KINDS] how much each counts against this opponent, as feared then; their sum is 1."""
        ranks = self.outcome.rank(self.posterior.grid)
        believed = self._feared(phase) @ basis(ranks, KIND_RANKS) @ KIND_SHARES
        shares: Grid = (1 - DOUBT) * believed + DOUBT * np.array([0.0, 1.0, 1.0, 1.0]) / 3
        return shares

    def prospects(self, after: Sequence[After], kinds: Grid, phase: float) -> Balancing | None:
        """What the moves lead to; None where nothing is wanted of that, or known.

        after: how the game stands for us after each move; where nobody looked it is taken for as
        bad as the worst. kinds: those of this phase, the position's now.

        Positions near the wanted chance are liked. What is lost early is not won back from the
        strong, but a lead can be given back while the game goes on: so early those ahead of it are
        liked longer.
        """
        closeness = self._closeness(phase)
        if not closeness or all(each is None for each in after):
            return None
        weights, early = self._feared(phase), _early(phase)
        known = [self._chances_after(each, weights) for each in after]
        worst = min((each for each in known if each is not None), key=lambda each: each @ kinds)
        chances = np.array([worst if each is None else each for each in known])
        apart = chances @ kinds - self.wanted
        if all(isinstance(each, np.ndarray) for each in after):
            # A draw between a win and a loss is as even as what lies between, where that is known.
            apart = np.zeros(len(after))
        behind = NEAR * (1 + (NEAR_BEHIND - 1) * early)
        ahead = NEAR * (1 + (NEAR_AHEAD - 1) * early)
        nearness = -0.5 * (closeness * apart / np.where(apart < 0, behind, ahead)) ** 2
        return Balancing(chances, kinds, nearness, self.wanted, self.wanted + SLACK * early)

    def _closeness(self, phase: float) -> float:
        if self.aim.fair_ending and phase >= FAIR_PHASE:
            return 0.0
        return self.aim.closeness

    def _level(self, standing: Standing, low: float, high: float, weights: Grid) -> float:
        for _ in range(HALVINGS):
            middle = (low + high) / 2
            if self._averaged(middle, standing, weights) < self.wanted:
                low = middle
            else:
                high = middle
        return (low + high) / 2

    def _feared(self, phase: float, share: float = 1.0) -> Grid:
        """What is believed of an opponent taken for stronger, the more the younger the game is."""
        caution = share * self.aim.caution * _early(phase)
        return cautious(self.posterior.density, caution, self.posterior.grid)

    def _averaged(self, level_elo: float, standing: Standing, weights: Grid) -> float:
        closeness = self._closeness(standing.phase)
        strengths = self._strengths(level_elo, standing)
        chances = self.outcome.chances(level_elo, strengths, standing, closeness=closeness)
        return float(weights @ chances)

    def _chances_after(self, after: After, weights: Grid) -> Grid | None:
        """[KINDS] how often who keeps the game even from there wins it."""
        if isinstance(after, Standing):
            return np.full(len(KINDS), self._kept_even(after, weights))
        return after

    def _kept_even(self, standing: Standing, weights: Grid) -> float:
        strengths = self._strengths(self.posterior.mean, standing)
        closeness = self._closeness(standing.phase)
        return float(
            weights @ self.outcome.steered_chances(strengths, standing, closeness=closeness)
        )

    def _strengths(self, level_elo: float, standing: Standing) -> Grid:
        """The posterior's grid with what the opponent was given, against play at the level."""
        grid = self.posterior.grid
        return grid + unsettled(standing.phase) * self.given.between(level_elo, grid)


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
