"""What a search keeps: its tree along the moves played, and evaluations in the cache."""

from __future__ import annotations

from engine._core import EvaluationCache, GoPosition, GoRules
from engine.search.bounds import MOST_VISITS, SearchBounds
from engine.search.search import Search
from engine.values import Limit
from tests.support.searches import make, played
from tests.support.stand_in import StandInEvaluator, StandInSlot, drawn_from_stones


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


def test_cache_never_holds_more_than_its_capacity() -> None:
    cache = EvaluationCache(64)
    make(cache=cache).run(Limit(visits=500))
    assert cache.capacity == 64
    assert len(cache) <= 64
    cache.clear()
    assert len(cache) == 0


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
