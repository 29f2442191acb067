"""Values passed between the rooms: limits, search reports, chosen moves, final statuses.

All are frozen. The module knows no game, no network and no protocol. A move is a policy index:
y * width + x with y = 0 the top row, pass = width * height. Color is 0 (Black, first) or 1.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float32]


HURRIED_SECONDS = 0.1  # a move with less time is hurried


@dataclass(frozen=True, slots=True)
class Limit:
    """Limits of one search. None means no limit; the first limit reached ends the search."""

    visits: int | None = None  # root visits, those of the reused tree included
    most_visits: int | None = None  # the same; also caps a strength's own number of visits
    playouts: int | None = None  # new playouts of this search alone
    seconds: float | None = None  # target; the search ends earlier once the choice cannot change
    max_seconds: float | None = None  # hard limit, never exceeded knowingly

    @property
    def least_seconds(self) -> float | None:
        """Returns the shorter of the two times, in seconds; None without a time."""
        times = [s for s in (self.seconds, self.max_seconds) if s is not None]
        return min(times) if times else None

    @property
    def is_hurried(self) -> bool:
        """Whether the time suffices for the move's own search only."""
        return self.least_seconds is not None and self.least_seconds < HURRIED_SECONDS

    def within(self, visits: int) -> int:
        """Returns a strength's own number of visits, capped by the limits of a new search."""
        most = [most for most in (self.most_visits, self.playouts) if most is not None]
        return min([visits, *most])

    def after(self, seconds: float) -> Limit:
        """Returns the limit left after so many seconds, never below 0."""
        return self._with_times(lambda most: max(0.0, most - seconds))

    def part(self, share: float) -> Limit:
        """Returns the limit with both times multiplied by the share, 0..1."""
        return self._with_times(lambda most: share * most)

    def _with_times(self, change: Callable[[float], float]) -> Limit:
        seconds, most = self.seconds, self.max_seconds
        if seconds is None and most is None:
            return self
        return replace(
            self,
            seconds=None if seconds is None else change(seconds),
            max_seconds=None if most is None else change(most),
        )


@dataclass(frozen=True, slots=True)
class Bounds:
    """Proven bounds of the final score under best play, in points; +-127 means unknown."""

    low: int
    high: int

    @property
    def exact(self) -> int | None:
        """The score if both bounds agree, else None."""
        return self.low if self.low == self.high else None


@dataclass(frozen=True, slots=True)
class MoveStats:
    """A search's statistics of one root move, as the side to move at the root sees them."""

    move: int
    order: int  # rank; 0 is the search's best move
    visits: int  # of the child node; may exceed edge_visits by transposition
    edge_visits: int
    win_rate: float  # 0..1, a draw or no result counts half
    no_result: float  # probability
    score_lead: float  # points
    score_mean: float  # points, expected final score between equal players ("selfplay")
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
    symmetry_of: int | None = None  # an earlier move, equal by symmetry
    ownership: Floats | None = None  # [H*W], +1 for the side to move at the root
    ownership_stdev: Floats | None = None


@dataclass(frozen=True, slots=True)
class RootStats:
    """A search's statistics of the root, as the side to move there sees them."""

    to_move: int  # color
    visits: int
    win_rate: float  # 0..1
    no_result: float  # probability
    score_lead: float  # points
    score_mean: float  # points
    score_stdev: float  # points
    utility: float
    weight: float
    raw_win_rate: float  # 0..1; raw values are the network's own, without search
    raw_score_lead: float  # points
    raw_score_mean: float  # points
    raw_score_stdev: float  # points
    raw_no_result: float  # probability
    raw_win_loss_error: float  # short-term; -1 if the network has no such output
    raw_score_error: float  # short-term, points; -1 if the network has no such output
    raw_variance_time: float  # turns; -1 if the network has no such output
    position_hash: int
    symmetry_hash: int  # equal for positions equal by symmetry
    bounds: Bounds | None = None  # None: nothing is proven


@dataclass(frozen=True, slots=True)
class Report:
    """The state of a search: the root, its moves with the best first, and the policy."""

    root: RootStats
    moves: tuple[MoveStats, ...]
    policy: Floats  # [H*W+1], probability, -1 where illegal
    seconds: float  # spent in this search
    playouts: int  # of this search
    ownership: Floats | None = None  # [H*W], +1 for the side to move at the root
    ownership_stdev: Floats | None = None  # [H*W]

    @property
    def best(self) -> MoveStats | None:
        """The search's best move; None before the first evaluation."""
        return self.moves[0] if self.moves else None


@dataclass(frozen=True, slots=True)
class Standing:
    """The balance of a game, as the side under level control sees it."""

    phase: float  # 0 at the start, 1 when the board is full, in Go when every point has an owner
    win_rate: float  # 0..1, between equal strong players
    lead: float  # points
    greedy: float = 0.5  # 0..1, win rate between players of the one-ply heuristic
    careless: float = 0.5  # 0..1, win rate between players of random moves
    deviation: float = 0.0  # points, of the final score between equal strong players; Go alone
    open_points: float = 0.0  # number of points without a certain owner; Go alone
    free_points: int = 0  # empty points that are no eye of one point, 0 after a pass; Go alone


@dataclass(frozen=True, slots=True)
class Choice:
    """A chosen move and the reason for it."""

    move: int | None  # None: resign
    reason: str  # one short sentence for logs and chat
    report: Report | None = None
    nodes: int | None = None  # positions searched, or rollouts, if there is no report
    level_elo: float | None = None  # Elo on the rating ladder, if a level of it chose the move
    standing: Standing | None = None  # the balance of the game, if the level follows from it
    start_elo: float | None = None  # Elo of the level planned for the game's start, likewise


@dataclass(frozen=True)
class FinalStatus:
    """The status of the stones and the score of a finished or stopped game."""

    alive: NDArray[np.bool_]  # [H, W], True at living stones
    dead: NDArray[np.bool_]  # [H, W], True at dead stones
    black_score: float  # color 0's score by the game's count; in Go points with komi and bonuses
