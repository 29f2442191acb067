"""The balance controller: the level of a move, and preferences of moves, for a target win rate.

Its inputs are the posterior of the opponent's strength, the standing of the game and the win model.
The moves of a level are in engine.strength.level.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from engine.games.table import Board
from engine.opponents.advantage import NOTHING, Advantage
from engine.opponents.elo_grid import Grid
from engine.opponents.move_balancer import MoveBalancer
from engine.opponents.move_likelihood import basis
from engine.opponents.outcome_model import OutcomeModel, strengths_met
from engine.opponents.posterior import Posterior
from engine.strength.target_win_rate import TargetWinRate
from engine.values import Standing

HALVINGS = 14  # number of halvings of the ladder's range in the search for the level
FAIR_PHASE = 0.8  # from this phase on a fair ending plays without control
# Late in a game, a position with a win rate this far from the target loses half a nat.
NEAR = 0.1
LEVEL_CAUTION = 0.5  # share of the caution in choosing a level: its moves should look like theirs
OPPONENT_KINDS = ("perverse", "careless", "greedy", "strong")  # the kinds of the core, in its order
# [ranks, kinds] the probability that a player of this rank on a ladder makes a late move as one of
# the kinds does, measured on agents and levels in 6x6 Othello and in Connect4.
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
DOUBT = 0.5  # weight of an even mixture of all kinds but the perverse, against any opponent
LATE_PHASE = 0.7  # from this phase on there is no time to correct a misjudged opponent


@dataclass(frozen=True, slots=True)
class Leeway:
    """How far the control of a game goes."""

    # The greatest fall and rise of a level, from the one with the target win rate at the start.
    fall_elo: float = math.inf
    rise_elo: float = math.inf
    # With a lead of Go between these, in points a line of the board, a level falls further, by so
    # much a point a line.
    far_ahead: float = math.inf
    farthest_ahead: float = math.inf
    fall_elo_a_point: float = 0.0
    caution: float = 1.0  # factor on the persona's caution
    natural_caution: float = 1.0  # further factor for a persona with a naturalness budget
    free_caution: float = 1.0  # further factor for a persona without one
    # Factors on the distance NEAR at the first move, below the target and above it.
    near_behind: float = 0.2
    near_ahead: float = 3.0
    slack: float = 0.15  # the expected win rate may be this far above the target at the first move
    closeness: float = 1.0  # factor on the persona's closeness

    def fall_elo_at(self, lead: float, lines: float = 1.0) -> float:
        """Returns the greatest fall of a level with this lead, in points; lines: of the board."""
        ahead = min(lead / lines, self.farthest_ahead)
        if ahead <= self.far_ahead:
            return self.fall_elo
        return self.fall_elo + self.fall_elo_a_point * (ahead - self.far_ahead)


# By a board's name, else by game. In Go a level carries the evenness: a lead is never thrown back,
# so that the level hardly falls, caution would only win games, and a lead of the opening stays. A
# level that rises more than it falls starts far below the opponent, and weak levels lose groups.
# Far ahead it falls further: a program loses a group in one game of ten, and a level 150 Elo weaker
# keeps the 20 points to the end. On 9x9 a third of this fall keeps the games as close, and the
# level loses less when it is ahead. On 19x19 a game is long, and a level that is four ranks weaker
# loses a third of a point more a move: people of 20 kyu and of 3 dan are 1,500 Elo apart there. In
# Connect4 natural moves hardly give a lead back: with the whole caution, weak strangers lost seven
# games of ten. A persona without a naturalness budget gives any lead back, but can take none from a
# strong stranger: its first level is far above a prior of mostly weak players.
LEEWAY_OF_GO = Leeway(
    fall_elo=150.0,
    rise_elo=150.0,
    far_ahead=0.9,
    farthest_ahead=3.1,
    fall_elo_a_point=360.0,
    caution=0.0,
    near_behind=0.5,
    near_ahead=0.5,
    slack=0.0,
)
LEEWAYS = {
    "go": LEEWAY_OF_GO,
    "go9": replace(LEEWAY_OF_GO, fall_elo_a_point=120.0),
    "go19": replace(LEEWAY_OF_GO, fall_elo=800.0, rise_elo=800.0, fall_elo_a_point=0.0),
    # In chess a level of people gives nothing back on purpose either. With caution a stranger
    # would meet a level 1,000 Elo above its prior.
    "chess": Leeway(fall_elo=150.0, rise_elo=150.0, caution=0.0),
    "connect4": Leeway(natural_caution=0.2, free_caution=1.2),
    # In dark chess an even chance comes from hidden pieces: steering towards it, even the weakest
    # level won every game of random play. The level alone keeps the games even.
    "darkchess": Leeway(closeness=0.0),
}
# Against opponents weaker than all ranks of people, by game. A game of beginners swings by tens of
# points, and a level 450 Elo weaker looks the same to them.
LEEWAYS_WITH_BEGINNERS = {
    name: replace(LEEWAYS[name], fall_elo=450.0, rise_elo=450.0) for name in ("go", "go9")
}
FREE = Leeway()


def leeway_of(board: Board, *, is_with_beginner: bool = False) -> Leeway:
    """Returns the leeway on a board."""
    leeways = LEEWAYS | LEEWAYS_WITH_BEGINNERS if is_with_beginner else LEEWAYS
    return leeways.get(board.name, leeways.get(board.game, FREE))


# A move's standing, for the win model; or [kinds] our win rates by a search to the end of the game;
# None: the move was not searched.
StandingAfter = Standing | Grid | None


@dataclass(frozen=True, slots=True)
class PlannedLevel:
    """The level of a move, and the win rate expected of it."""

    level_elo: float
    win_rate: float  # ours, with play at this level to the end of the game
    start_elo: float  # the level of the game's start by the present belief


@dataclass(frozen=True, slots=True)
class BalanceController:
    """The controller of one move: settings, the opponent's posterior, and a ladder's win model."""

    settings: TargetWinRate
    posterior: Posterior
    win_model: OutcomeModel
    lowest_elo: float
    highest_elo: float
    advantage: Advantage = NOTHING  # the opponent's, at the start of the game
    leeway: Leeway = FREE
    first: Standing | None = None  # our standing before our first move; None: this is the first
    is_natural: bool = False  # whether a naturalness budget restricts our moves
    lines: float = 1.0  # of the board; on one without equal sides, of the square of its area
    sighted_elo: float = -math.inf  # of the weakest level with a policy of its moves

    @property
    def target(self) -> float:
        """Our target win rate, corrected for this opponent's Elo.

        In some bad positions the settings' win rate is out of reach. The correction makes up for
        them in the other games.
        """
        odds = math.log(self.settings.chance / (1 - self.settings.chance))
        return 1 / (1 + math.exp(-odds - self.win_model.leaning_at(self.posterior.mean)))

    def plan(self, standing: Standing, before_elo: float | None = None) -> PlannedLevel:
        """Returns the level with the target win rate from this standing.

        before_elo: the level of our last move; the new one differs by at most most_change_elo.
        With a leeway of its own, the level stays near that of the game's start instead, and a level
        with a policy falls to none without one: its moves would look like no player's.
        """
        low, high = self.lowest_elo, self.highest_elo
        weights = self._feared(standing.phase, LEVEL_CAUTION)
        start: float | None = None
        if math.isfinite(self.leeway.fall_elo):
            start = self._level(self.first or standing, low, high, weights)
            low = max(low, start - self.leeway.fall_elo_at(standing.lead, self.lines))
            if start >= self.sighted_elo:
                low = max(low, self.sighted_elo)
            high = min(high, start + self.leeway.rise_elo)
        elif before_elo is not None:
            low = min(max(low, before_elo - self.settings.most_change_elo), high)
            high = max(min(high, before_elo + self.settings.most_change_elo), low)
        level = self._level(standing, low, high, weights)
        return PlannedLevel(
            level, self.win_rate(level, standing), level if start is None else start
        )

    def win_rate(self, level_elo: float, standing: Standing) -> float:
        """Returns our win rate with play at this level, averaged over the posterior."""
        strengths = self._strengths(level_elo, standing)
        closeness = self._closeness(standing.phase)
        win_rates = self.win_model.balanced_win_rates(
            level_elo, strengths, standing, closeness=closeness
        )
        return float(self.posterior.steered_density @ win_rates)

    def from_target(self, standing: Standing, level_elo: float | None = None) -> float:
        """Returns the distance from the target of our win rate from this standing.

        level_elo: of our play to the end; None: play as strong as the opponent's.
        """
        win_rate = self._steered(standing, self.posterior.steered_density, level_elo)
        return abs(win_rate - self.target)

    def kinds(self, phase: float) -> Grid:
        """Returns [kinds] the weight of each kind of opponent in this phase, sum 1."""
        ranks = self.win_model.rank(self.posterior.grid)
        believed = self._feared(phase) @ basis(ranks, KIND_RANKS) @ KIND_SHARES
        shares: Grid = (1 - DOUBT) * believed + DOUBT * np.array([0.0, 1.0, 1.0, 1.0]) / 3
        return shares

    def move_balancer(
        self,
        after: Sequence[StandingAfter],
        kinds: Grid,
        phase: float,
        level_elo: float | None = None,
    ) -> MoveBalancer | None:
        """Returns the balancer of the moves; None without closeness, or without any searched move.

        after: [moves] our standing after each move; an unsearched move counts as the worst one.
        kinds: [kinds] weights. phase: of the position before the move. level_elo: of our play to
        the end; None: play as strong as the opponent's.

        Positions near the target win rate get a bonus. A strong opponent does not give a lead back,
        but we can give ours back later. Early in a game, the bonus therefore falls more slowly
        above the target than below it, but not in Go.
        """
        closeness = self._closeness(phase)
        if not closeness or all(each is None for each in after):
            return None
        weights, early = self._feared(phase), _early(phase)
        known = [self._win_rates_after(each, weights, level_elo) for each in after]
        worst = min((each for each in known if each is not None), key=lambda each: each @ kinds)
        win_rates = np.array([worst if each is None else each for each in known])
        apart = win_rates @ kinds - self.target
        if all(isinstance(each, np.ndarray) for each in after):
            # The results are known: a draw among wins and losses is as even as a drawn game.
            apart = np.zeros(len(after))
        behind = NEAR * (1 + (self.leeway.near_behind - 1) * early)
        ahead = NEAR * (1 + (self.leeway.near_ahead - 1) * early)
        nearness = -0.5 * (closeness * apart / np.where(apart < 0, behind, ahead)) ** 2
        return MoveBalancer(
            win_rates, kinds, nearness, self.target, self.target + self.leeway.slack * early
        )

    def _closeness(self, phase: float) -> float:
        if self.settings.fair_ending and phase >= FAIR_PHASE:
            return 0.0
        return self.settings.closeness

    def _level(self, standing: Standing, low: float, high: float, weights: Grid) -> float:
        for _ in range(HALVINGS):
            middle = (low + high) / 2
            if self._planned(middle, standing, weights) < self.target:
                low = middle
            else:
                high = middle
        return (low + high) / 2

    def _feared(self, phase: float, share: float = 1.0) -> Grid:
        """Returns [points] the density raised by this share of the caution, less with time."""
        leeway = self.leeway
        factor = leeway.caution * (
            leeway.natural_caution if self.is_natural else leeway.free_caution
        )
        caution = factor * share * self.settings.caution * _early(phase)
        return cautious(self.posterior.steered_density, caution, self.posterior.grid)

    def _planned(self, level_elo: float, standing: Standing, weights: Grid) -> float:
        """Returns our win rate for the choice of a level, averaged by the weights [points]."""
        strengths = self._strengths(level_elo, standing)
        closeness = self._closeness(standing.phase)
        win_rates = self.win_model.planned_win_rates(
            level_elo, strengths, standing, closeness=closeness
        )
        return float(weights @ win_rates)

    def _win_rates_after(
        self, after: StandingAfter, weights: Grid, level_elo: float | None
    ) -> Grid | None:
        """Returns [kinds] our win rates with balancing to the end; None: not searched."""
        if isinstance(after, Standing):
            return np.full(len(OPPONENT_KINDS), self._steered(after, weights, level_elo))
        return after

    def _steered(self, standing: Standing, weights: Grid, level_elo: float | None) -> float:
        ours = self.posterior.mean if level_elo is None else level_elo
        win_rates = self.win_model.steered_win_rates(
            self._strengths(ours, standing),
            standing,
            level_elo=level_elo,
            closeness=self._closeness(standing.phase),
        )
        return float(weights @ win_rates)

    def _strengths(self, level_elo: float, standing: Standing) -> Grid:
        """Returns [points] the grid with each strength's advantage against this level, in Elo."""
        return strengths_met(
            self.win_model, self.posterior.grid, self.advantage, level_elo, standing
        )


def _early(phase: float) -> float:
    """Returns the share of the time for corrections still left: 1 at the start, 0 late."""
    return max(0.0, 1 - phase / LATE_PHASE)


def cautious(density: Grid, deviations: float, grid: Grid) -> Grid:
    """Returns [points] the density moved up by so many of its standard deviations.

    Mass beyond the grid gathers at its last point. Early in a game too much strength costs less
    than too little: our lead can be given back, a strong opponent's cannot be taken.
    """
    if deviations <= 0:
        return density
    mean = float(density @ grid)
    shift = deviations * math.sqrt(float(density @ (grid - mean) ** 2))
    total = np.interp(grid - shift, grid, np.cumsum(density), left=0.0)
    feared: Grid = np.diff(total, prepend=0.0)
    feared[-1] += 1 - feared.sum()
    return feared
