"""A search by the core's own slots: the same results as by slots in Python, and its ends."""

from __future__ import annotations

import threading
import time

import numpy as np
import pytest

from engine._core import CpuFlights, CpuRows, EvaluationCache, ProcessorTurns
from engine.games.table import Board
from engine.networks.native_backend import NativeEvaluator, NativeSlot
from engine.networks.runtime import read_network
from engine.play.networks import bundled_network, networks_of
from engine.search.bounds import MOST_VISITS
from engine.search.flights import CoreFlights, SlotFlights
from engine.search.meter import SearchMeter, Work
from engine.search.search import Search, turn_seconds
from engine.values import Limit, Report

BOARDS = [Board("go", 9, 9), Board("othello", 8, 8), Board("connect4", 7, 6)]


def native(board: Board, cores: int = 64) -> NativeEvaluator:
    """The bundled network, on the processor. cores: fewer searches than these are no crowd."""
    choice = networks_of(board.game).on(board)
    assert choice.path is not None
    return NativeEvaluator(
        read_network(choice.path), precision="fp32", threads=2, turns=ProcessorTurns(cores)
    )


def rows_of(slot: NativeSlot) -> CpuRows:
    """The core's handle to a slot."""
    assert slot.core_rows is not None
    return slot.core_rows


def searched(search: Search, board: Board) -> tuple[list[Report], Work]:
    """Reports of a game's first searches, with the tree kept from move to move."""
    search.meter = SearchMeter()
    position, reports = board.start(), []
    search.set_position(position)
    for limit in (Limit(visits=150), Limit(playouts=60), Limit(visits=3), Limit(visits=200)):
        reports.append(search.run(limit))
        move = reports[-1].moves[0].move
        position.play(move)
        search.set_position(position, [move])
    return reports, search.meter.work()


@pytest.mark.parametrize("board", BOARDS, ids=lambda board: board.name)
def test_the_core_searches_as_python_does(board: Board, monkeypatch: pytest.MonkeyPatch) -> None:
    evaluator = native(board)
    by_core = Search(evaluator, cache=EvaluationCache(1000), seed=3)
    found, work = searched(by_core, board)
    assert isinstance(by_core.flights, CoreFlights)
    monkeypatch.setattr("engine.search.flights.CoreFlights", lambda tree, _rows: None)
    monkeypatch.setattr("engine.search.search.flights_of", lambda *args: SlotFlights(*args[:2]))
    by_slots = Search(evaluator, cache=EvaluationCache(1000), seed=3)
    expected, expected_work = searched(by_slots, board)
    assert isinstance(by_slots.flights, SlotFlights)
    for one, other in zip(found, expected, strict=True):
        assert one.root == other.root
        assert one.moves == other.moves
    assert (work.playouts, work.evaluations) == (expected_work.playouts, expected_work.evaluations)
    assert work.batches == expected_work.batches
    assert work.wait_seconds > 0


@pytest.mark.parametrize("board", BOARDS, ids=lambda board: board.name)
def test_a_search_in_a_crowd_has_the_same_results_in_larger_batches(board: Board) -> None:
    alone = Search(native(board), cache=EvaluationCache(1000), seed=3)
    crowded = Search(native(board, cores=1), cache=EvaluationCache(1000), seed=3)
    expected, work_alone = searched(alone, board)
    found, work = searched(crowded, board)
    for one, other in zip(found, expected, strict=True):
        assert one.root == other.root
        assert one.moves == other.moves
    assert (work.playouts, work.evaluations) == (work_alone.playouts, work_alone.evaluations)
    assert sum(work.batches[2:]) > 0  # of three rows or more
    assert sum(work_alone.batches[2:]) == 0
    assert sum(work.batches) < sum(work_alone.batches)


def test_searches_in_a_crowd_get_equal_processor_time() -> None:
    boards = [BOARDS[0], BOARDS[1], BOARDS[2], BOARDS[1]]
    turns, meters = ProcessorTurns(1), [SearchMeter() for _ in boards]
    searches = []
    for board, meter in zip(boards, meters, strict=True):
        path = networks_of(board.game).on(board).path
        assert path is not None
        evaluator = NativeEvaluator(read_network(path), threads=1, turns=turns)
        searches.append(Search(evaluator, meter=meter))
        searches[-1].set_position(board.start())

    def spent() -> list[float]:
        return [meter.work().processor_seconds for meter in meters]

    threads = [
        threading.Thread(
            target=search.run,
            args=(Limit(visits=MOST_VISITS),),
            kwargs={"stop": lambda: sum(spent()) > 1.0},
        )
        for search in searches
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert min(spent()) > 0.7 * max(spent())


def test_a_command_ends_an_endless_search_soon() -> None:
    board = BOARDS[0]
    search = Search(native(board))
    search.set_position(board.start())
    calls: list[float] = []

    def stop() -> bool:
        calls.append(time.monotonic())
        return len(calls) > 20

    report = search.run(Limit(visits=MOST_VISITS), stop=stop)
    assert report.root.visits > 1
    assert search.tree.in_flight == 0
    gaps = np.diff(calls)
    assert np.median(gaps) < 0.5


def test_a_search_that_fails_leaves_no_playout_under_way() -> None:
    board = BOARDS[0]
    search = Search(native(board))
    search.set_position(board.start())
    search.run(Limit(visits=20))
    looks: list[None] = []

    def stop() -> bool:
        looks.append(None)
        if len(looks) > 3:
            raise OSError("the client went away")
        return False

    with pytest.raises(OSError, match="went away"):
        search.run(Limit(visits=MOST_VISITS), stop=stop)
    assert search.tree.in_flight == 0
    most = search.visits + 20
    assert search.run(Limit(visits=most)).root.visits == most


def test_a_client_with_one_batch_does_not_wait_for_all_batches_of_another() -> None:
    board, rows = Board("go", 19, 19), 8
    evaluator = NativeEvaluator(read_network(bundled_network()), precision="fp32", threads=1)
    greedy, modest = (
        [evaluator.open(board.width, board.height, rows) for _ in range(count)] for count in (12, 1)
    )
    flights = [CpuFlights([rows_of(slot) for slot in slots]) for slots in (greedy, modest)]
    for slot in greedy:
        slot.start(rows)
    modest[0].start(rows)
    begun = time.perf_counter()
    modest[0].wait()
    waited = time.perf_counter() - begun
    for slot in greedy:
        slot.wait()
    assert waited < 0.5 * (time.perf_counter() - begun)
    assert all(not each.waiting for each in flights)


def test_dropout_is_served_by_python() -> None:
    board = BOARDS[0]
    search = Search(native(board), dropout=0.1)
    search.set_position(board.start())
    assert isinstance(search.flights, SlotFlights)
    assert search.run(Limit(visits=10)).root.visits == 10


def test_a_turn_ends_with_the_next_moment() -> None:
    assert turn_seconds(5.0, [None, None], None) == 0.05
    assert turn_seconds(5.0, [5.01, None], None) == pytest.approx(0.01)
    assert turn_seconds(5.0, [4.0, 5.01], 10.0) == 0.0
    assert turn_seconds(5.0, [None, None], 10.0) == 0.2
    assert turn_seconds(5.0, [5.1, None], 10.0) == pytest.approx(0.1)
    assert turn_seconds(5.0, [None, 9.0], 0.1) == pytest.approx(0.005)
