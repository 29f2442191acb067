"""The search on a stand-in network: limits, choice, reuse, restrictions, and its signature."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from engine._core import EvaluationCache, GoPosition, GoRules, expected_score_value, live_nodes
from engine.search.bounds import MOST_VISITS, SearchBounds
from engine.search.meter import SearchMeter
from engine.search.search import ReportOptions, Restriction, Search, SearchSettings
from engine.values import Floats, Limit, Report
from tests.support.stand_in import StandInEvaluator, StandInSlot, drawn_from_stones, uniform


def make(
    size: int = 9,
    *,
    evaluator: StandInEvaluator | None = None,
    cache: EvaluationCache | None = None,
    **settings: float | bool,
) -> Search:
    chosen = SearchSettings()
    for name, value in settings.items():
        setattr(chosen, name, value)
    search = Search(evaluator or StandInEvaluator(), chosen, cache, seed=7)
    search.set_position(GoPosition(size, size, GoRules(), 7.5))
    return search


def played(position: GoPosition, *moves: int) -> GoPosition:
    position = position.copy()
    for move in moves:
        position.play(move)
    return position


def favours(move: int, win: float = 1.0) -> Callable[[StandInSlot, int], None]:
    """An evaluator whose policy prefers one move and whose value likes stones on it."""

    def evaluate(slot: StandInSlot, row: int) -> None:
        slot.policy[row] = 0
        slot.value[row] = 0
        slot.misc[row] = 0
        slot.ownership[row] = 0
        own, other = slot.spatial[row, 1].ravel(), slot.spatial[row, 2].ravel()
        slot.value[row, 0] = win * (int(own[move]) - int(other[move]))

    return evaluate


@pytest.mark.parametrize("visits", [1, 2, 17, 200])
def test_visit_limit_is_met_exactly(visits: int) -> None:
    report = make().run(Limit(visits=visits))
    assert report.root.visits == visits
    assert sum(move.edge_visits for move in report.moves) == visits - 1
    assert report.playouts == visits


def test_playout_limit_counts_new_playouts_only() -> None:
    search = make()
    search.run(Limit(visits=50))
    assert search.run(Limit(playouts=30)).root.visits == 80


@pytest.mark.parametrize("rows", [1, 2, 8])
def test_playouts_that_meet_on_one_leaf_do_not_block_their_slot(rows: int) -> None:
    # One move takes all visits; most pending playouts end on the same leaf.
    evaluator = StandInEvaluator(favours(40, 4.0), rows=rows, slots=3)
    search = make(evaluator=evaluator, in_flight_factor=8.0)
    assert search.run(Limit(visits=400)).root.visits == 400
    assert search.tree.in_flight == 0


def test_more_visits_than_asked_for_are_kept_and_nothing_is_evaluated() -> None:
    evaluator = StandInEvaluator()
    search = make(evaluator=evaluator)
    search.run(Limit(visits=100))
    rows = evaluator.rows
    assert search.run(Limit(visits=40)).root.visits == 100
    assert evaluator.rows == rows


def test_the_move_that_wins_is_found() -> None:
    # Symmetries would make four moves of one; the centre is its own image.
    center = 40
    search = make(evaluator=StandInEvaluator(favours(center, 4.0)))
    report = search.run(Limit(visits=600))
    assert report.best is not None
    assert report.best.move == center
    assert report.best.win_rate > 0.9
    assert report.root.to_move == 0


def test_values_are_the_movers_own() -> None:
    search = make(evaluator=StandInEvaluator(favours(40, 4.0)))
    black_took_it = played(GoPosition(9, 9, GoRules(), 7.5), 40)
    search.set_position(black_took_it)
    report = search.run(Limit(visits=50))
    assert report.root.to_move == 1
    assert report.root.win_rate < 0.1


def test_same_seed_same_search() -> None:
    first = make().run(Limit(visits=300))
    second = make().run(Limit(visits=300))
    assert [(m.move, m.visits, m.utility) for m in first.moves] == [
        (m.move, m.visits, m.utility) for m in second.moves
    ]


def signature(report: Report) -> str:
    text = " ".join(f"{m.move}:{m.edge_visits}" for m in report.moves)
    return hashlib.sha256(text.encode()).hexdigest()[:12]


# A change of these numbers is a change of play: state it in the commit.
SIGNATURES = {
    (9, ()): "71ac20d00707",
    (9, (40, 41, 50)): "5211a365b767",
    (13, (84,)): "4fd8563e97dd",
}


@pytest.mark.parametrize(("size", "moves"), SIGNATURES)
def test_signature(size: int, moves: tuple[int, ...]) -> None:
    search = make(size)
    search.set_position(played(GoPosition(size, size, GoRules(), 7.5), *moves))
    assert signature(search.run(Limit(visits=500))) == SIGNATURES[size, moves]


def test_tree_is_kept_along_the_moves_played() -> None:
    search = make()
    report = search.run(Limit(visits=400))
    assert report.best is not None
    first, reply = report.best.pv[:2]
    start = GoPosition(9, 9, GoRules(), 7.5)
    search.set_position(played(start, first, reply), [first, reply])
    kept = search.visits
    assert kept > 1
    again = search.run(Limit(playouts=1))
    assert again.root.visits == kept + 1
    assert again.root.to_move == 0


def test_tree_is_dropped_when_the_moves_do_not_lead_there() -> None:
    search = make()
    search.run(Limit(visits=200))
    search.set_position(played(GoPosition(9, 9, GoRules(), 7.5), 10, 20), [10, 21])
    assert search.visits == 0


def test_cache_answers_for_the_network() -> None:
    evaluator = StandInEvaluator()
    cache = EvaluationCache(4096)
    make(evaluator=evaluator, cache=cache).run(Limit(visits=200))
    rows = evaluator.rows
    report = make(evaluator=evaluator, cache=cache).run(Limit(visits=200))
    assert report.root.visits == 200
    assert evaluator.rows - rows < rows / 4  # the root itself is always evaluated
    assert 0 < len(cache) <= cache.capacity
    assert cache.lookups >= 300
    assert 0.75 * rows < cache.hits < cache.lookups
    table = EvaluationCache(4096).bytes
    assert 100 * len(cache) < cache.bytes - table < 2000 * len(cache)
    cache.clear()
    assert (len(cache), cache.bytes) == (0, table)


def test_a_full_cache_keeps_its_size() -> None:
    cache = EvaluationCache(32)
    search = make(cache=cache)
    search.run(Limit(visits=400))
    full = cache.bytes
    assert len(cache) == cache.capacity == 32
    search.run(Limit(visits=800))
    assert (len(cache), cache.bytes) == (32, full)


def test_bounds_hold_whatever_the_limit() -> None:
    search = make()
    search.bounds = SearchBounds(visits=50)
    assert search.run(Limit(visits=200)).root.visits == 50
    assert search.run(Limit(playouts=200)).root.visits == 50
    timed = make()
    timed.bounds = SearchBounds(seconds=0.05)
    assert timed.run(Limit(visits=MOST_VISITS)).seconds < 1.0
    assert 1 < timed.visits < MOST_VISITS


def test_a_meter_counts_the_work() -> None:
    search = make(evaluator=(evaluator := StandInEvaluator()))
    search.meter = SearchMeter()
    for visits in (200, 300):  # goes on with the same tree
        search.run(Limit(visits=visits))
    work = search.meter.work()
    assert work.evaluations == evaluator.rows
    assert work.playouts == 300
    assert sum(work.batches) <= work.evaluations
    assert work.wait_seconds > 0


class Histories:
    """Records the moves of its history planes that each row shows, by the number of stones."""

    def __init__(self) -> None:
        self.shown: dict[int, set[int]] = {}
        self.evaluator = StandInEvaluator(self)

    def __call__(self, slot: StandInSlot, row: int) -> None:
        stones = int(slot.spatial[row, 1:3].sum())
        moves = int(slot.spatial[row, 9:14].sum()) + int(slot.globals[row, :5].sum())
        self.shown.setdefault(stones, set()).add(moves)
        drawn_from_stones(slot, row)


SIX = (0, 8, 20, 40, 60, 72)  # points of 9x9 without captures


def test_the_network_sees_the_moves_before_the_root_unless_they_are_ignored() -> None:
    start = played(GoPosition(9, 9, GoRules(), 7.5), *SIX)
    for ignored in (False, True):
        histories = Histories()
        search = make(evaluator=histories.evaluator, ignore_pre_root_history=ignored)
        search.set_position(start)
        search.run(Limit(visits=60))
        assert histories.shown[6] == ({0} if ignored else {5})  # the root
        assert histories.shown[7] == ({1} if ignored else {5})


def test_searches_that_ignore_history_share_evaluations_with_each_other_alone() -> None:
    histories, cache = Histories(), EvaluationCache(4096)
    evaluator = histories.evaluator
    start = GoPosition(9, 9, GoRules(), 7.5)

    def rows(moves: tuple[int, ...], *, ignored: bool) -> int:
        before = evaluator.rows
        search = make(evaluator=evaluator, cache=cache, ignore_pre_root_history=ignored)
        search.set_position(played(start, *moves))
        search.run(Limit(visits=60))
        return evaluator.rows - before

    assert rows(SIX, ignored=True) > 50
    assert rows(SIX, ignored=True) < 10  # four of them are the symmetries of the root
    assert rows(SIX, ignored=False) > 50


def test_a_root_reached_by_a_move_is_evaluated_anew_where_history_is_ignored() -> None:
    histories = Histories()
    search = make(evaluator=histories.evaluator, ignore_pre_root_history=True, root_symmetries=1)
    start = GoPosition(9, 9, GoRules(), 7.5)
    search.set_position(start, [])
    best = search.run(Limit(visits=100)).best
    assert best is not None
    histories.shown.clear()
    search.set_position(played(start, best.move), [best.move])
    search.run(Limit(playouts=1))
    assert 0 in histories.shown[1]


class Doublings:
    """Records the side to move of each row and its input of playout doublings."""

    def __init__(self) -> None:
        self.seen: set[tuple[bool, float, float]] = set()
        self.evaluator = StandInEvaluator(self)

    def __call__(self, slot: StandInSlot, row: int) -> None:
        komi, told, half = slot.globals[row, [5, 15, 16]]
        self.seen.add((bool(komi > 0), float(told), float(half)))  # komi is White's to gain
        drawn_from_stones(slot, row)


@pytest.mark.parametrize(("color", "black"), [(-1, 0.75), (0, 0.75), (1, -0.75)])
def test_the_network_gets_the_playout_doublings(color: int, black: float) -> None:
    doublings = Doublings()
    search = make(
        evaluator=doublings.evaluator, playout_doubling_advantage=1.5, playout_doubling_color=color
    )
    search.run(Limit(visits=50))
    assert doublings.seen == {(False, 1.0, black), (True, 1.0, -black)}


def test_playout_doublings_go_with_the_player_that_the_search_is_for() -> None:
    doublings, cache = Doublings(), EvaluationCache(4096)
    search = make(evaluator=doublings.evaluator, cache=cache, playout_doubling_advantage=1.0)
    search.run(Limit(visits=50))
    doublings.seen.clear()
    start = GoPosition(9, 9, GoRules(), 7.5)
    search.set_position(played(start, 40), [40])
    search.run(Limit(visits=50))  # evaluations for Black are of no use
    assert doublings.seen == {(True, 1.0, 0.5), (False, 1.0, -0.5)}
    doublings.seen.clear()
    make(evaluator=doublings.evaluator, cache=cache).run(Limit(visits=50))
    assert doublings.seen == {(False, 0.0, 0.0), (True, 0.0, 0.0)}


def test_cache_never_holds_more_than_its_capacity() -> None:
    cache = EvaluationCache(64)
    make(cache=cache).run(Limit(visits=500))
    assert cache.capacity == 64
    assert len(cache) <= 64
    cache.clear()
    assert len(cache) == 0


def test_forbidden_root_moves_are_not_searched() -> None:
    allowed = [12, 13]
    until = [0 if move in allowed else 1 for move in range(82)]
    report = make().run(Limit(visits=100), restriction=Restriction(black=until))
    assert {move.move for move in report.moves} <= set(allowed)
    assert any(move.pv[1:] for move in report.moves)  # White is free


def test_lifting_a_restriction_searches_everything_again() -> None:
    search = make()
    search.run(Limit(visits=50), restriction=Restriction(black=[1] * 40 + [0] * 42))
    report = search.run(Limit(visits=200))
    assert any(move.move < 40 for move in report.moves)


def test_restriction_holds_on_a_board_of_another_size() -> None:
    search = make()
    until = Restriction(black=[1] * 12 + [0] * 70)
    search.run(Limit(visits=20), restriction=until)
    search.set_position(GoPosition(7, 7, GoRules(), 7.5))
    report = search.run(Limit(visits=100), restriction=Restriction(black=[1] * 49 + [0]))
    assert [move.move for move in report.moves] == [49]
    search.set_position(GoPosition(9, 9, GoRules(), 7.5))
    assert min(m.move for m in search.run(Limit(visits=100), restriction=until).moves) >= 12


def weights(changed: dict[int, float], size: int = 9) -> Floats:
    """All 1 but for these, by the number of the move."""
    made = np.ones(size * size + 1, np.float32)
    for move, weight in changed.items():
        made[move] = weight
    return made


def shape(report: Report) -> list[tuple[int, int, float]]:
    return [(m.move, m.edge_visits, m.utility) for m in report.moves]


@pytest.mark.parametrize("settings", [{}, {"root_symmetry_pruning": True}, {"root_noise": True}])
def test_neutral_weights_change_nothing(settings: dict[str, Any]) -> None:
    without = make(**settings).run(Limit(visits=300))
    for alike in (1.0, 2.0):
        weighed = make(**settings).run(Limit(visits=300), prior_weights=alike * weights({}))
        assert shape(weighed) == shape(without)


def test_a_weight_of_nought_leaves_a_move_out_and_a_larger_one_brings_visits() -> None:
    def visits(report: Report) -> dict[int, int]:
        return {move.move: move.edge_visits for move in report.moves}

    usual = make().run(Limit(visits=300))
    first, second = usual.moves[0].move, usual.moves[1].move
    tilted = make().run(Limit(visits=300), prior_weights=weights({first: 0.0}))
    assert first not in visits(tilted)
    raised = make().run(Limit(visits=300), prior_weights=weights({second: 5.0}))
    assert visits(raised)[second] > visits(usual)[second]
    assert visits(raised)[first] < visits(usual)[first]
    for report in (tilted, raised):  # the network's own policy is reported unchanged
        assert np.array_equal(report.policy, usual.policy)


def test_a_pass_of_weight_0_gets_no_visit() -> None:
    def passes(prior_weights: Floats) -> bool:
        search = make(evaluator=StandInEvaluator(favours(40, 0.0)))
        search.set_position(played(GoPosition(9, 9, GoRules(), 7.5), 40, 81))
        report = search.run(Limit(visits=60), prior_weights=prior_weights)
        return any(move.move == 81 for move in report.moves)

    assert passes(weights({}))
    assert not passes(weights({81: 0.0}))


def test_weights_of_nought_alone_are_ignored() -> None:
    usual = make().run(Limit(visits=50))
    assert shape(make().run(Limit(visits=50), prior_weights=0 * weights({}))) == shape(usual)


def test_mirrored_moves_of_different_weight_are_searched_apart() -> None:
    """On the empty board the corners are alike, but not where one is wanted more."""
    tilt = weights({0: 3.0})
    report = make(root_symmetry_pruning=True).run(Limit(visits=800), prior_weights=tilt)
    mirrors = {move.move: move.symmetry_of for move in report.moves}
    corners = {0, 8, 72, 80}
    assert not any(mirrors[move] == 0 for move in corners & set(mirrors))
    assert mirrors.get(0) is None
    assert mirrors[80] in corners - {0}


def test_other_weights_search_everything_again_and_hold_for_one_root() -> None:
    search = make()
    tilt = weights({40: 3.0})
    search.run(Limit(visits=100), prior_weights=tilt)
    assert search.run(Limit(visits=100), prior_weights=tilt.copy()).playouts == 0
    assert search.run(Limit(visits=100), prior_weights=2 * tilt).playouts == 100
    assert search.run(Limit(visits=100)).playouts == 100
    # The subgraph below the root does not depend on them and is kept when the root moves on.
    first, reply = search.run(Limit(visits=400), prior_weights=tilt).moves[0].pv[:2]
    search.set_position(played(GoPosition(9, 9, GoRules(), 7.5), first, reply), [first, reply])
    kept = search.visits
    assert kept > 1
    assert search.run(Limit(playouts=10)).root.visits == kept + 10


@pytest.mark.parametrize(
    "wrong", [np.ones(5, np.float32), weights({3: -0.5}), weights({3: np.nan})]
)
def test_weights_that_cannot_be(wrong: Floats) -> None:
    search = make()
    with pytest.raises(ValueError, match="prior weight"):
        search.run(Limit(visits=20), prior_weights=wrong)
    assert search.run(Limit(visits=20)).root.visits == 20


def test_a_prior_may_be_wanted_for_a_move_that_the_network_never_plays() -> None:
    report = make().run(Limit(visits=20), prior_weights=weights({3: 1e9}))
    assert max(report.moves, key=lambda each: each.edge_visits).move == 3


def test_stop_ends_the_search_after_the_pending_playouts() -> None:
    calls = iter(range(10**6))
    report = make().run(Limit(), stop=lambda: next(calls) > 20)
    assert 0 < report.root.visits < 200


def test_reports_arrive_while_searching() -> None:
    clock = iter(np.arange(0, 1e4, 0.01))
    search = make()
    search.now = lambda: float(next(clock))
    seen: list[int] = []
    search.run(Limit(visits=150), on_report=lambda r: seen.append(r.root.visits))
    assert seen
    assert seen == sorted(seen)


def test_first_report_comes_with_the_first_visited_move() -> None:
    search = make(evaluator=StandInEvaluator(rows=1, slots=3))
    clock = iter(np.arange(0, 1e4, 0.01))
    search.now = lambda: float(next(clock))
    reports: list[Report] = []
    search.run(
        Limit(visits=200), on_report=reports.append, report_every_seconds=1, first_report_seconds=0
    )
    assert reports[0].moves[0].visits == 1
    assert reports[0].root.visits == 2
    assert reports[1].root.visits > 20


def test_time_limit_ends_the_search() -> None:
    clock = iter(np.arange(0, 1e4, 0.01))
    search = make()
    search.now = lambda: float(next(clock))
    report = search.run(Limit(seconds=1.0))
    assert 0 < report.root.visits < 1000


def most_in_flight(limit: Limit, visits: int, factor: float = 0.35) -> int:
    """The most playouts pending at once on three slots of two rows, up to so many visits."""
    pending: list[int] = []

    def count() -> None:
        if search.tree.root.visits <= visits:
            pending.append(search.tree.in_flight)

    evaluator = StandInEvaluator(rows=2, slots=3, pause=count)
    search = make(evaluator=evaluator, in_flight_factor=factor)
    clock = iter(np.arange(0, 1e4, 0.01))
    search.now = lambda: float(next(clock))
    search.run(limit, stop=lambda: search.visits > visits)
    return max(pending)


@pytest.mark.parametrize(
    ("limit", "most"),
    [
        (Limit(max_seconds=10), 2),
        (Limit(seconds=10), 2),
        (Limit(), 2),
        (Limit(visits=30), 1),
        (Limit(visits=30, max_seconds=10), 1),
        (Limit(playouts=30), 1),
    ],
)
def test_search_by_time_keeps_every_slot_busy_from_the_first_visits(
    limit: Limit, most: int
) -> None:
    assert most_in_flight(limit, 20) == most


def test_search_of_one_playout_at_a_time_stays_so_by_time() -> None:
    assert most_in_flight(Limit(max_seconds=10), 20, factor=0.0) == 1


def test_search_stops_early_once_the_choice_is_settled() -> None:
    clock = iter(np.arange(0, 1e4, 0.02))
    search = make(evaluator=StandInEvaluator(favours(40, 4.0)))
    search.now = lambda: float(next(clock))
    assert search.run(Limit(seconds=60.0)).seconds < 58


@pytest.mark.parametrize("slots", [1, 2, 3])
def test_search_with_playouts_pending_stops_once_the_choice_is_settled(slots: int) -> None:
    seconds = [0.0]

    def prefer_center(slot: StandInSlot, row: int) -> None:
        favours(40, 0.0)(slot, row)
        slot.policy[row, 40] = 6.0

    def wait() -> None:
        seconds[0] += 0.025 / max(1, slots - 1)

    evaluator = StandInEvaluator(prefer_center, rows=1, slots=slots, pause=wait)
    search = make(evaluator=evaluator)
    search.now = lambda: seconds[0]
    assert 0.1 < search.run(Limit(seconds=1.0)).seconds < 0.7
    assert search.tree.in_flight == 0


@pytest.mark.parametrize("wait", ["raises", "gives no number"])
def test_failed_playouts_are_as_if_never_begun(wait: str) -> None:
    failing = [False]

    def evaluate(slot: StandInSlot, row: int) -> None:
        drawn_from_stones(slot, row)
        if failing[0] and wait == "raises":
            raise OSError("the device went away")
        if failing[0]:
            slot.value[row, 0] = np.nan

    search, unfailing = make(evaluator=StandInEvaluator(evaluate)), make()
    for one in (search, unfailing):
        one.run(Limit(visits=20))
    for visits in range(30, 200, 10):
        unfailing.run(Limit(visits=visits - 10))  # as many searches begin
        failing[0] = True
        with pytest.raises((OSError, RuntimeError), match=r"went away|not finite"):
            search.run(Limit(visits=visits))
        failing[0] = False
        assert search.tree.in_flight == 0
        found, expected = (one.run(Limit(visits=visits)) for one in (search, unfailing))
        assert found.root == expected.root
        assert found.moves == expected.moves


def test_search_that_stands_still_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    search = make()
    monkeypatch.setattr(search.flights, "_launch", lambda *_: None)
    with pytest.raises(RuntimeError, match="stands still"):
        search.run(Limit(visits=10))


def test_output_that_is_no_number_is_refused() -> None:
    def evaluate(slot: StandInSlot, row: int) -> None:
        drawn_from_stones(slot, row)
        slot.value[row, 0] = np.nan

    with pytest.raises(RuntimeError, match="not finite"):
        make(evaluator=StandInEvaluator(evaluate)).run(Limit(visits=10))


def test_a_search_without_limit_ends_before_it_takes_all_memory() -> None:
    search = make()
    search.bounds = SearchBounds(visits=500)
    search.set_position(GoPosition(9, 9, GoRules(), 7.5))
    assert search.run(Limit()).root.visits == 500
    assert search.run(Limit(visits=10_000)).root.visits == 500


def test_trees_stop_growing_at_the_memory_of_all_together() -> None:
    before, _ = live_nodes()
    large = Search(StandInEvaluator(uniform), bounds=SearchBounds(nodes=before + 200))
    large.set_position(GoPosition(9, 9, GoRules(), 7.5))
    large.run(Limit(visits=10_000))
    assert 200 <= live_nodes()[0] - before < 300
    small = Search(StandInEvaluator(uniform), bounds=SearchBounds(nodes=before + 200))
    small.set_position(GoPosition(9, 9, GoRules(), 7.5))
    small.run(Limit(visits=10_000))
    assert small.visits > 1  # its share, however much the other one holds
    nodes, trees = live_nodes()
    assert nodes < 2 * (before + 200)
    del large
    assert live_nodes() < (nodes, trees)


def test_report_before_any_evaluation_is_refused() -> None:
    with pytest.raises(RuntimeError, match="nothing was evaluated"):
        make().report()


def test_ownership_is_the_movers_own() -> None:
    def evaluate(slot: StandInSlot, row: int) -> None:
        drawn_from_stones(slot, row)
        sign = 1 if slot.globals[row, 5] < 0 else -1  # Black, the one without komi, is to move
        slot.ownership[row] = sign * 3.0

    search = make(evaluator=StandInEvaluator(evaluate))
    options = ReportOptions(ownership=True, moves_ownership=True)
    report = search.run(Limit(visits=60), options=options)
    assert report.ownership is not None
    assert report.ownership.min() > 0.98
    assert report.best is not None
    assert report.best.ownership is not None
    assert report.best.ownership.min() > 0.98


def test_symmetric_root_moves_are_searched_once_when_asked() -> None:
    report = make(root_symmetry_pruning=True).run(Limit(visits=200))
    mirrored = [move for move in report.moves if move.symmetry_of is not None]
    assert mirrored
    by_move = {move.move: move for move in report.moves}
    for move in mirrored:
        assert move.symmetry_of is not None
        assert move.visits == by_move[move.symmetry_of].visits
        assert move.pv[0] == move.move
    assert len(by_move) == len(report.moves)


def test_root_noise_changes_the_visits_and_nothing_breaks() -> None:
    plain = make().run(Limit(visits=200))
    noisy = make(root_noise=True, wide_root_noise=0.1).run(Limit(visits=200))
    assert noisy.root.visits == 200
    assert {m.move: m.visits for m in plain.moves} != {m.move: m.visits for m in noisy.moves}


def test_finished_game_is_searched_on_from_its_root() -> None:
    over = played(GoPosition(9, 9, GoRules(), 7.5), 81, 81)
    assert over.is_over
    search = make()
    search.set_position(over)
    assert search.run(Limit(visits=50)).root.visits == 50


@pytest.mark.parametrize(
    "rules", [GoRules(), GoRules(ko="SIMPLE", scoring="TERRITORY", tax="SEKI")]
)
def test_small_boards_are_searched_to_their_ends(rules: GoRules) -> None:
    search = Search(StandInEvaluator(), SearchSettings(), None, seed=3)
    search.set_position(GoPosition(3, 2, rules, 0.5))
    report = search.run(Limit(visits=2000))
    assert report.root.visits == 2000
    assert abs(report.root.score_lead) <= 6.5


@pytest.mark.parametrize("mean", [-30.0, -3.0, 0.0, 0.5, 12.0, 200.0])
@pytest.mark.parametrize("stdev", [0.0, 1.0, 8.0, 40.0])
def test_score_value_is_the_mean_over_a_normal_score(mean: float, stdev: float) -> None:
    z = np.linspace(-6, 6, 4001)
    weight = np.exp(-0.5 * z * z)
    direct = (weight * np.arctan((mean + stdev * z - 2.0) / 9.0)).sum() / weight.sum() * 2 / np.pi
    assert expected_score_value(mean, stdev, 2.0, 9.0) == pytest.approx(direct, abs=2e-3)


def test_a_damaged_search_shares_no_evaluations() -> None:
    seen = []

    def noted(slot: StandInSlot, row: int) -> None:
        seen.append((slot.dropout, slot.dropout_seed))
        drawn_from_stones(slot, row)

    evaluator, cache = StandInEvaluator(noted), EvaluationCache(1000)

    def searched(dropout: float, seed: int = 0) -> None:
        search = Search(evaluator, cache=cache, dropout=dropout, seed=seed)
        search.set_position(GoPosition(5, 5, GoRules(), 7.5))
        search.run(Limit(visits=30))

    searched(0.5)
    assert len(cache) == 0
    assert {dropout for dropout, _ in seen} == {0.5}
    seeds = {seed for _, seed in seen}
    assert len(seeds) == evaluator.slots
    seen.clear()
    searched(0.5, seed=1)
    assert not seeds & {seed for _, seed in seen}
    searched(0.0)
    kept = len(cache)
    assert kept > 0
    rows = evaluator.rows
    searched(0.5)
    assert evaluator.rows >= rows + 25  # not from the cache either
    assert len(cache) == kept
