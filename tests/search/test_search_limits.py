"""The limits of a search: visits, playouts, time, memory, and failures of the network."""

from __future__ import annotations

import numpy as np
import pytest

from engine._core import GoPosition, GoRules, live_nodes
from engine.search.bounds import SearchBounds
from engine.search.search import Search
from engine.values import Limit, Report
from tests.support.searches import favours, make
from tests.support.stand_in import StandInEvaluator, StandInSlot, drawn_from_stones, uniform


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
