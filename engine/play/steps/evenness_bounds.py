"""The bounds of evenness: how far the balance of a game may change the moves of a level.

In Go a level plays the whole game, and evenness only prefers some of its own moves. No move becomes
much likelier than the level makes it. A move that gives back more than the lead, a self-atari and a
move in one's own territory become no likelier at all. Levels draw their greatest mistakes again;
where they draw nothing else, a level of people finds the best move above its floor. A decided game
is played by the level alone.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from engine._core import GoPosition
from engine.games.chains import chain_at
from engine.games.go_ending import OWNED
from engine.games.table import Board
from engine.play.steps.request import MoveRequest
from engine.strength.level import NO_RANK, Level
from engine.strength.settings_curve import READ_VISITS
from engine.values import Report, Standing

Numbers = NDArray[np.float64]  # [n], one value a move
Mask = NDArray[np.bool_]  # [n]

GIVEN_BACK = 0.75  # a move rises that loses at most this share of the lead over the wanted margin
FEWEST_STONES = 2  # of a self-atari
EQUAL_POINTS = 0.5  # moves this near the best one lose nothing


@dataclass(frozen=True, slots=True)
class EvennessLimit:
    """How much evenness changes the odds of a level's moves."""

    most_factor: float = 3.0  # the greatest change of a move's odds
    most_loss: float = 5.0  # points; a move that loses more rises by a lead alone
    # The whole change is for a win rate so far from the target one, or farther; 0: any.
    far_from_target: float = 0.0
    # Whether the win rate counts with the play of the planned level, or by the lead alone.
    counts_level: bool = False

    def factor(self, from_target: float) -> float:
        """Returns the greatest change of a move's odds with this distance from the target."""
        if from_target >= self.far_from_target:
            return self.most_factor
        share = from_target / self.far_from_target
        return float(self.most_factor**share)


USUAL_LIMIT = EvennessLimit()
# By the board's name. A game of 19x19 has time: in an even position a level plays its own moves. A
# level falls far there, and late in a game it loses a lead without any help. With moves that did so
# too, leads of 20 to 40 points won 55% of the games.
LIMITS = {"go19": EvennessLimit(most_loss=2.0, far_from_target=0.3, counts_level=True)}


@dataclass(frozen=True, slots=True)
class LossBound:
    """The mistakes drawn again by a level in an even game."""

    most_behind: float  # points; beyond them after a move we draw again,
    least_loss: float  # points; but not for a smaller loss
    visits: int  # of the reading, at least
    most_lead: float = 0.0  # points; a lead widens the bound by itself, or by this at most

    def most_loss(self, lead: float) -> float:
        """Returns the greatest loss of a move with this lead of ours, both in points."""
        return max(self.least_loss, self.most_behind + min(lead, self.most_lead))


# No lead widens the bound of a level of people: a lead thrown away makes no even game. Readers on
# the ladder read deeper in even games. Levels without a policy play roughly, and win too many games
# under such a bound.
READERS_BOUND = LossBound(10.0, 3.0, 3 * READ_VISITS)
BLIND_BOUND = LossBound(20.0, 10.0, 3 * READ_VISITS, most_lead=math.inf)
# Levels of people that do not read on the ladder have a bound by the board's name.
PEOPLE_BOUNDS = {"go19": LossBound(8.0, 5.0, READ_VISITS)}


@dataclass(frozen=True, slots=True)
class EvennessBounds:
    """The moves that evenness may make more likely."""

    may_rise: Mask  # [n] the others keep at most their natural probability
    most_factor: float  # the greatest change of a move's odds

    def applied(self, balanced: Numbers, natural: Numbers) -> Numbers:
        """Returns [n] probabilities near the balanced ones, within these bounds of natural ones.

        balanced, natural: [n] probabilities, sum 1.
        """
        with np.errstate(divide="ignore", invalid="ignore"):
            factors = np.where(natural > 0, balanced / natural, 1.0)
        factors = np.minimum(factors, np.where(self.may_rise, self.most_factor, 1.0))
        drawn = natural * np.maximum(factors, 1 / self.most_factor)
        rising = float(drawn[self.may_rise].sum())
        if rising == 0:
            return natural
        drawn[self.may_rise] *= (1 - float(drawn[~self.may_rise].sum())) / rising
        return drawn


def evenness_bounds_of(
    request: MoveRequest[Any],  # of Go
    report: Report,
    moves: NDArray[np.intp],
    leads: Numbers,
    *,
    from_target: float,
) -> EvennessBounds:
    """Returns the bounds of a move's choice.

    moves: [n]. leads: [n] ours after each move, NaN if unknown; such a move may not rise.
    from_target: the distance of our win rate from the target one.
    """
    best_lead = float(np.nanmax(leads, initial=-np.inf))
    wanted, limit = _wanted_margin(request), limit_of(request.board)
    least = max(best_lead - max(limit.most_loss, GIVEN_BACK * (best_lead - wanted)), wanted)
    least = min(best_lead - EQUAL_POINTS, least)
    with np.errstate(invalid="ignore"):
        rising: Mask = leads >= least
    position, best = request.position, report.best
    for index in np.flatnonzero(rising):
        move = int(moves[index])
        if best is not None and move == best.move:
            continue
        if in_own_territory(report, move) or is_self_atari(position, move):
            rising[index] = False
    return EvennessBounds(rising, limit.factor(from_target))


def limit_of(board: Board) -> EvennessLimit:
    """Returns the limit on a board."""
    return LIMITS.get(board.name, USUAL_LIMIT)


def bounded_level(level: Level, standing: Standing, board: Board) -> Level:
    """Returns the level with a bound of its mistakes by our lead, if it has one in even games.

    A mistake of a level that is behind already would decide the game. Ahead, a great mistake looks
    like a gift.
    """
    bound = _bound_of(level, board)
    if bound is None:
        return level
    return replace(
        level,
        reading=max(level.reading, bound.visits),
        most_loss=min(level.most_loss, bound.most_loss(standing.lead)),
    )


def finds_best(level: Level, board: Board) -> bool:
    """Tells whether a level that draws only great mistakes plays the best move of its reading."""
    return board.game == "go" and not level.is_blind


def _bound_of(level: Level, board: Board) -> LossBound | None:
    if board.game != "go":
        return None  # the bounds are points
    if level.is_blind:
        return BLIND_BOUND
    if level.reading:
        return READERS_BOUND
    return None if level.rank == NO_RANK else PEOPLE_BOUNDS.get(board.name)


def _wanted_margin(request: MoveRequest[Any]) -> float:
    """Returns our wanted margin in points: the one of the persona's ending that is nearest to 0."""
    low = getattr(request.persona.ending, "low", 0.0)
    high = getattr(request.persona.ending, "high", 0.0)
    return float(min(max(0.0, low), high))


def in_own_territory(report: Report, move: int) -> bool:
    """Tests whether a move's point belongs to the mover for certain. report: with ownership."""
    ownership = report.ownership
    return ownership is not None and move < len(ownership) and bool(ownership[move] >= OWNED)


def is_self_atari(position: GoPosition, move: int) -> bool:
    """Tests whether a move without a capture leaves its chain of some stones one liberty."""
    if move == position.pass_move:
        return False
    before = np.count_nonzero(position.stones)
    after = position.copy()
    after.play(move)
    if np.count_nonzero(after.stones) != before + 1 or after.liberties(move) != 1:
        return False
    return len(chain_at(after.stones, move)) >= FEWEST_STONES
