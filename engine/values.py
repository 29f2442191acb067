"""Values that pass between the layers: limits, what a search found, what was chosen, errors.

Everything here is frozen. It knows no game, no network and no protocol. A move is a policy index:
y * width + x with y = 0 the top row, pass = width * height. Color is 0 (Black, first) or 1.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float32]


HURRIED_SECONDS = 0.1  # for a move: with less a player is hurried


@dataclass(frozen=True, slots=True)
class Limit:
    """How long to search. None means no such limit; the first limit reached ends the search."""

    visits: int | None = None  # of the root, kept ones included
    most_visits: int | None = None  # the same, also where a strength searches with its own number
    playouts: int | None = None  # new ones, in this search alone
    seconds: float | None = None  # aim: may end earlier once the choice cannot change
    max_seconds: float | None = None  # never exceeded knowingly

    @property
    def least_seconds(self) -> float | None:
        """The shorter of its two times; None where it has neither."""
        times = [s for s in (self.seconds, self.max_seconds) if s is not None]
        return min(times) if times else None

    @property
    def is_hurried(self) -> bool:
        """Whether there is only time for the search that finds the move."""
        return self.least_seconds is not None and self.least_seconds < HURRIED_SECONDS

    def within(self, visits: int) -> int:
        """Returns a strength's own number of visits, or the most that a new search may make."""
        most = [most for most in (self.most_visits, self.playouts) if most is not None]
        return min([visits, *most])

    def after(self, seconds: float) -> Limit:
        """What is left of it when so much time is gone."""
        return self._with_times(lambda most: max(0.0, most - seconds))

    def part(self, share: float) -> Limit:
        """The same with that share of its time."""
        return self._with_times(lambda most: share * most)

    def _with_times(self, change: Callable[[float], float]) -> Limit:
        seconds, most = self.seconds, self.max_seconds
        return replace(
            self,
            seconds=None if seconds is None else change(seconds),
            max_seconds=None if most is None else change(most),
        )


@dataclass(frozen=True, slots=True)
class Bounds:
    """Between what the final score of best play is proven to lie; with 127 nothing is known."""

    low: int
    high: int

    @property
    def exact(self) -> int | None:
        """The score where it is known."""
        return self.low if self.low == self.high else None


@dataclass(frozen=True, slots=True)
class MoveStats:
    """What the search found of one root move. Values are the root mover's own view."""

    move: int
    order: int  # 0 is the move the search would play
    visits: int  # of the node it leads to; may exceed edge_visits by transposition
    edge_visits: int
    win_rate: float  # 0..1, a draw or no result counts half
    no_result: float  # probability
    score_lead: float  # points
    score_mean: float  # points, as the game would go on between equals ("selfplay")
    score_stdev: float  # points
    utility: float
    lcb: float  # lower confidence bound of win_rate
    utility_lcb: float
    prior: float  # policy probability
    weight: float
    edge_weight: float
    play_selection_value: float
    pv: tuple[int, ...]  # begins with move
    pv_visits: tuple[int, ...] = ()
    pv_edge_visits: tuple[int, ...] = ()
    bounds: Bounds | None = None  # None: nothing is proven
    symmetry_of: int | None = None  # an earlier move that this one mirrors
    ownership: Floats | None = None  # [H*W], +1 the root mover's
    ownership_stdev: Floats | None = None


@dataclass(frozen=True, slots=True)
class RootStats:
    """What the search found of the root itself. Values are the root mover's own view."""

    to_move: int
    visits: int
    win_rate: float
    no_result: float
    score_lead: float
    score_mean: float
    score_stdev: float
    utility: float
    weight: float
    raw_win_rate: float  # the network's alone, without search
    raw_score_lead: float
    raw_score_mean: float
    raw_score_stdev: float
    raw_no_result: float
    raw_win_loss_error: float  # short-term; -1 where the network does not say
    raw_score_error: float  # short-term, points; -1 where the network does not say
    raw_variance_time: float  # -1 where the network does not say
    position_hash: int
    symmetry_hash: int  # the same for positions that differ by a symmetry
    bounds: Bounds | None = None  # None: nothing is proven


@dataclass(frozen=True, slots=True)
class Report:
    """A search's findings so far, best move first."""

    root: RootStats
    moves: tuple[MoveStats, ...]
    policy: Floats  # [H*W+1], probability, -1 where illegal
    seconds: float  # spent in this search
    playouts: int  # made in this search
    ownership: Floats | None = None  # [H*W], +1 the root mover's
    ownership_stdev: Floats | None = None

    @property
    def best(self) -> MoveStats | None:
        """The move the search would play; None before anything was evaluated."""
        return self.moves[0] if self.moves else None


@dataclass(frozen=True, slots=True)
class Standing:
    """How a game stands, as the side sees it that is to be steered."""

    phase: float  # 0 at the start, 1 when the board is full
    win_rate: float  # 0..1, between strong equals
    lead: float  # of the score, in points
    greedy: float = 0.5  # 0..1, the win rate between players who go by a glance
    careless: float = 0.5  # 0..1, between such as play any move


@dataclass(frozen=True, slots=True)
class Choice:
    """A move decided on and why."""

    move: int | None  # None: resign
    reason: str  # one short sentence for logs and chat
    report: Report | None = None
    nodes: int | None = None  # positions looked at, or games played out, where no report tells
    level_elo: float | None = None  # of the ladder, where it was played at one of its levels
    standing: Standing | None = None  # how the game stood, where that level follows from it


@dataclass(frozen=True)
class FinalStatus:
    """The state of a finished or stopped game."""

    alive: NDArray[np.bool_]  # [H, W] a living stone stands here
    dead: NDArray[np.bool_]  # [H, W] a dead stone stands here
    black_score: float  # color 0's, as the game counts; in Go points, komi and bonuses included
