"""Drives the search tree of the core with a network: positions in, a Report out.

Positions of any game are opaque values for the core. One Search belongs to one session and one
thread; the evaluator behind it may serve many.
"""

from __future__ import annotations

import math
import time
import zlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from engine._core import GoPosition, NetworkScales, SearchSettings
from engine.games.evaluator import Evaluator, NetworkDescription
from engine.games.position import Position
from engine.search.bounds import MOST_VISITS, USUAL_BOUNDS, SearchBounds
from engine.search.chess_aids import OpenAids
from engine.search.flights import Flights, RunLimits, flights_of
from engine.search.meter import SearchMeter
from engine.search.report import ReportOptions, make_report
from engine.search.tree import Cache, Tree, tree_of
from engine.values import Floats, Limit, Report

__all__ = ["ReportOptions", "Restriction", "Search", "SearchSettings", "network_scales"]

# turns without a wait or a playout; more are a bug, and raise instead of hanging
MOST_IDLE_TURNS = 1000
# Interval of the test for a settled choice: the shorter of a time and a share of the planned time.
STOP_CHECK_SECONDS, STOP_CHECK_SHARE = 0.1, 0.05
LEAST_TIMED_PLAYOUTS = 4  # playouts that tell the speed of a search
LONGEST_TURN_SECONDS = 0.05  # between two looks at the commands of the client
# The same in a search for a move on the clock, which few commands end: a look costs 0.15 ms.
LONGEST_MOVE_TURN_SECONDS = 0.2
MOST_PLAYOUTS = 2**62  # of a search without a limit of playouts


@dataclass(frozen=True)
class Restriction:
    """Moves excluded from the search at the root and at the first depths below it.

    `until[color][move]` is the first depth (0 is the root) at which that color may play the move
    again; an empty sequence restricts nothing. KataGo's avoidMoves and allowMoves reduce to this.
    """

    black: Sequence[int] = ()
    white: Sequence[int] = ()


@dataclass(slots=True)
class _Reports:
    """The reports of one run."""

    on_report: Callable[[Report], None] | None = None
    every_seconds: float = 0.0
    next: float = 0.0  # the time of the next report
    options: ReportOptions = field(default_factory=ReportOptions)


def network_scales(network: NetworkDescription) -> NetworkScales:
    """Returns the scales of the network's raw outputs for the core."""
    scales = NetworkScales()
    scales.version = network.version
    scales.score_mean = network.multipliers.score_mean
    scales.score_stdev = network.multipliers.score_deviation
    scales.lead = network.multipliers.lead
    scales.variance_time = network.multipliers.variance_time
    scales.win_loss_error = network.multipliers.win_loss_error
    scales.score_error = network.multipliers.score_error
    # KataGo gives networks of human games no optimism.
    scales.optimistic = network.policies > 1 and not network.uses_metadata
    return scales


def _moved_on(idle_turns: int, playouts: int) -> int:
    """Counts the turns without a playout. Raises RuntimeError for too many."""
    if playouts > 0:
        return 0
    if idle_turns > MOST_IDLE_TURNS:
        raise RuntimeError("the search stands still")
    return idle_turns + 1


def never() -> bool:
    """Returns False: the stop condition of a search with a limit only."""
    return False


@dataclass
class Search:
    """A search that can be stopped, queried and continued; keeps its tree from move to move.

    With a dropout the network is damaged, differently at each evaluation (see Slot). Such
    evaluations are private to this search: they never enter the cache, and none is read from it.
    """

    evaluator: Evaluator
    settings: SearchSettings = field(default_factory=SearchSettings)
    cache: Cache | None = None
    seed: int = 0
    now: Callable[[], float] = time.monotonic
    dropout: float = 0.0  # probability, 0..1
    bounds: SearchBounds = USUAL_BOUNDS
    meter: SearchMeter | None = None  # counts the work; None: nothing counts it
    # In chess: another engine with its values in place of our playouts, endgame tables and a book.
    aids: OpenAids = field(default_factory=OpenAids)

    def __post_init__(self) -> None:
        """Starts without a position: set_position comes first."""
        self._tree: Tree[Any] | None = None
        self._position: Position | None = None
        self._restriction = Restriction()
        self._prior_weights: Floats | None = None
        self._flights: Flights | None = None
        self._started = 0.0
        self._last_check = 0.0  # of a settled choice

    @property
    def network(self) -> NetworkDescription:
        """The network, and whether another engine's values stand in for those of its searches."""
        return replace(self.evaluator.network, has_engine=self.aids.has_engine)

    # ---- Position

    def set_position(self, position: Position, moves: Sequence[int] | None = None) -> None:
        """Searches `position` from now on.

        `moves` lead from the previous position to this one; pass them if they are known and each
        was played by the side to move: then the tree keeps its knowledge. Without them the tree is
        kept only for an equal position. Raises TypeError for a position of another game than the
        network's.
        """
        game = self.evaluator.network.game
        if not isinstance(position, tree_of(game).position):
            raise TypeError(f"{type(position).__name__} is not a position of {game}")
        position = position.copy()
        if isinstance(position, GoPosition):
            position.pass_alive_under_suicide = self.evaluator.network.pass_alive_under_suicide
        if self._position is None or _board(self._position) != _board(position):
            self._make_tree(position)
        elif moves is not None:
            self._advance(self._position.copy(), position, moves)
        elif not self._position.is_same(position):
            self._set_root(position)
        self._position = position

    def clear(self) -> None:
        """Clears the tree; the evaluation cache stays."""
        if self._tree is not None:
            self._set_root(self._position)

    def release(self) -> None:
        """Discards the tree and its slots with their memory; set_position comes next."""
        self.clear()  # without the interpreter's lock
        self._tree = self._position = self._flights = self._prior_weights = None

    def change_settings(self, settings: SearchSettings) -> None:
        """Searches with other settings and clears the tree."""
        self.settings = settings
        if self._tree is not None:
            self._tree.set_settings(settings)

    @property
    def tree(self) -> Tree[Any]:
        """The core's tree. Raises RuntimeError before a position was set."""
        if self._tree is None:
            raise RuntimeError("set_position comes before searching")
        return self._tree

    @property
    def flights(self) -> Flights:
        """The batches of this search. Raises RuntimeError before a position was set."""
        if self._flights is None:
            raise RuntimeError("set_position comes before searching")
        return self._flights

    @property
    def visits(self) -> int:
        """Visits of the root, including those kept from earlier searches."""
        return 0 if self._tree is None else self._tree.root.visits

    def _set_root(self, position: Position | None) -> None:
        # the weights belong to the previous root, even if its position is equal
        self._prior_weights = None
        self.tree.set_game(position)

    def _make_tree(self, position: Position) -> None:
        self._restriction = Restriction()
        self._prior_weights = None
        self._tree = tree_of(self.evaluator.network.game).make(
            position,
            self.settings,
            network_scales(self.evaluator.network),
            None if self.dropout else self.cache,
            zlib.crc32(self.evaluator.network.name.encode()),
            self.seed,
        )
        slots = [
            self.evaluator.open(position.width, position.height, self.evaluator.preferred_rows)
            for _ in range(self.evaluator.slots)
        ]
        for number, slot in enumerate(slots):
            slot.dropout = self.dropout
            slot.dropout_seed = zlib.crc32(f"{self.seed} {number}".encode())
        self._flights = flights_of(self._tree, slots, self.dropout)
        self.aids.give_tables(self._tree)

    def _advance(self, step: Position, position: Position, moves: Sequence[int]) -> None:
        """Follows the moves from `step` to `position` through the tree."""
        for move in moves:
            step.play(move, tolerant=True)
            self._prior_weights = None
            self.tree.advance(move, step)
        if not step.is_same(position):
            self._set_root(position)

    # ---- Searching

    def run(
        self,
        limit: Limit,
        *,
        stop: Callable[[], bool] = never,
        on_report: Callable[[Report], None] | None = None,
        report_every_seconds: float = 0.5,
        first_report_seconds: float | None = None,
        options: ReportOptions | None = None,
        restriction: Restriction | None = None,
        prior_weights: Floats | None = None,
    ) -> Report:
        """Searches until the limit, or until `stop` returns True, and reports the result.

        `on_report` receives a Report with a visited move after `first_report_seconds` (None: after
        the first period), then about every `report_every_seconds`. `prior_weights`: [moves],
        factors on the policy of the root's moves; 0 excludes a move while another one has more, and
        equal weights change nothing. Raises the evaluator's errors, and leaves the tree as if the
        failed playouts had never begun. Raises ValueError for invalid weights.
        """
        self._restrict(restriction or Restriction())
        self._weigh(prior_weights)
        self._started = self.now()
        first = report_every_seconds if first_report_seconds is None else first_report_seconds
        reports = _Reports(
            on_report, report_every_seconds, self._started + first, options or ReportOptions()
        )
        if not self._adopt_lines(limit, stop, reports):
            self._play_out(limit, stop, reports)
        return self.report(reports.options)

    def _adopt_lines(self, limit: Limit, stop: Callable[[], bool], reports: _Reports) -> bool:
        """Puts another engine's values into the tree; returns False where there are none."""
        engine = self.aids.engine
        if engine is None or engine.is_lost or limit.visits == 1:
            return False
        from engine.search.adopted_lines import searched_by  # noqa: PLC0415 (an optional module)

        self._play_out(Limit(visits=1), never, _Reports())  # the policy
        if limit.visits is not None and self.visits >= limit.visits:
            return True
        counts = [each for each in (limit.visits, limit.playouts) if each is not None]
        return searched_by(
            engine,
            self.tree,
            self._position,
            visits=min(counts, default=None),
            seconds=self._most_seconds(limit),
            until=(self._restriction.black, self._restriction.white),
            lines=reports.options.lines,
            stop=stop,
            on_change=reports.on_report and (lambda: self._report_if_due(reports, self.now())),
        )

    def _report_if_due(self, reports: _Reports, now: float) -> None:
        """Hands out a report at its time."""
        if reports.on_report is not None and now >= reports.next and self.visits > 1:
            reports.next = now + reports.every_seconds
            reports.on_report(self.report(reports.options))

    def _play_out(self, limit: Limit, stop: Callable[[], bool], reports: _Reports) -> None:
        """Runs playouts of our own until the limit, or until `stop` returns True."""
        tree = self.tree
        tree.begin(self._least_in_flight(limit))
        deadline = self._started + self._most_seconds(limit)
        self._last_check = self._started
        limits, flights = self._run_limits(limit), self.flights
        flights.reset(self.meter)
        idle_turns = 0
        over = False  # once True it stays: pending playouts end, and none begins
        try:
            while True:
                now = self.now()
                # Without the root's evaluation there would be nothing to report.
                over = over or (tree.evaluated and (now >= deadline or tree.proven or stop()))
                over = over or self._settled(limit.seconds, now)
                if not over:
                    self._report_if_due(reports, now)
                before = tree.playouts
                until = [deadline, reports.next if reports.on_report else None]
                seconds = turn_seconds(now, until, limit.seconds)
                if not flights.turn(limits, launches=not over, seconds=seconds):
                    if over or limits.playouts_left(tree) <= 0:
                        break
                    idle_turns = _moved_on(idle_turns, tree.playouts - before)
        except BaseException:
            flights.abandon()
            raise

    def report(self, options: ReportOptions | None = None) -> Report:
        """Returns the present result. Raises RuntimeError before any evaluation."""
        return make_report(self.tree, options or ReportOptions(), self.now() - self._started)

    def _restrict(self, restriction: Restriction) -> None:
        if restriction == self._restriction:
            return
        # Visits made under other restrictions would count for excluded moves.
        self._restriction = restriction
        self.clear()
        self.tree.set_restriction(0, list(restriction.black))
        self.tree.set_restriction(1, list(restriction.white))

    def _weigh(self, weights: Floats | None) -> None:
        before, self._prior_weights = self._prior_weights, None
        if before is None and weights is None:
            return
        if before is None or weights is None or not np.array_equal(before, weights):
            # The root's visits were distributed by other weights.
            self.clear()
            self.tree.set_prior_weights([] if weights is None else weights.tolist())
        self._prior_weights = None if weights is None else weights.copy()

    def _most_seconds(self, limit: Limit) -> float:
        spans = [each for each in (limit.least_seconds, self.bounds.seconds) if each is not None]
        return min(spans, default=math.inf)

    def _run_limits(self, limit: Limit) -> RunLimits:
        """Returns the playouts of a search, within the bounds of every search."""
        most = self.bounds.visits
        return RunLimits(
            visits=most if limit.visits is None else min(limit.visits, most),
            playouts=MOST_PLAYOUTS if limit.playouts is None else limit.playouts,
            nodes=self.bounds.nodes,
        )

    def _least_in_flight(self, limit: Limit) -> int:
        """Returns the playouts to keep pending, whatever the number of visits so far.

        A search limited by time keeps every slot busy but the one being filled. A search limited
        by visits obeys the settings alone, since pending playouts cost it quality.
        """
        by_visits = limit.playouts is not None or (limit.visits or MOST_VISITS) < MOST_VISITS
        if by_visits or self.settings.in_flight_factor == 0:
            return 1
        return max(1, self.evaluator.slots - 1)

    def _settled(self, seconds: float | None, now: float) -> bool:
        """Tests whether the time left is too short for another move to overtake the best one.

        seconds: the planned time; None: never. Returns False between the checks.
        """
        if seconds is None:
            return False
        if now < self._last_check + min(STOP_CHECK_SECONDS, STOP_CHECK_SHARE * seconds):
            return False
        self._last_check = now
        elapsed = now - self._started
        made = self.tree.playouts
        if made < LEAST_TIMED_PLAYOUTS or elapsed <= 0:
            return False
        left = made / elapsed * max(0.0, seconds - elapsed)
        moves = self.tree.report(1)
        if not moves:
            return False
        best, *others = moves
        lead = best.edge_visits - max((move.edge_visits for move in others), default=0)
        return lead > left or (best.visits > 0 and self._only_move())

    def _only_move(self) -> bool:
        return int((self.tree.policy() >= 0).sum()) == 1


def turn_seconds(now: float, until: Sequence[float | None], planned: float | None) -> float:
    """Returns the longest time until the search looks at its clock and its commands again.

    until: moments by the same clock as `now`; None: no such moment. planned: the search's time.
    """
    longest = LONGEST_TURN_SECONDS
    if planned is not None:
        longest = min(LONGEST_MOVE_TURN_SECONDS, STOP_CHECK_SHARE * planned)
    spans = [moment - now for moment in until if moment is not None]
    return max(0.0, min(longest, *spans)) if spans else longest


def _board(position: Position) -> tuple[type, int, int]:
    """Returns the key of a tree and its slots: the game and the size of its board."""
    return type(position), position.width, position.height
