"""The memory of search trees and of caches of evaluations, by the allocator's own count."""

from __future__ import annotations

from engine._core import EvaluationCache, GoPosition, GoRules
from engine.search.search import Search
from engine.values import Limit
from tests.support.allocator import needs_glibc, used_bytes
from tests.support.stand_in import StandInEvaluator, StandInSlot


def uniform(_slot: StandInSlot, _row: int) -> None:
    """Leaves all outputs at 0."""


def searched(visits: int, cache: EvaluationCache | None = None) -> Search:
    """Returns a search of 5x5 Go after so many visits."""
    search = Search(StandInEvaluator(uniform, rows=64), cache=cache)
    search.set_position(GoPosition(5, 5, GoRules(), 0.5))
    search.run(Limit(visits=visits))
    return search


@needs_glibc
def test_a_cleared_tree_keeps_no_memory() -> None:
    search = searched(5)
    search.clear()
    before = used_bytes()
    search.run(Limit(visits=12_000))
    assert used_bytes() > before + 2**21
    search.clear()
    assert used_bytes() < before + 2**16


@needs_glibc
def test_the_cache_counts_all_memory_of_its_evaluations() -> None:
    search = searched(5, cache := EvaluationCache(2**13))
    search.clear()
    used, counted = used_bytes(), cache.bytes
    search.run(Limit(visits=5000))
    search.clear()
    assert counted + 2**18 < cache.bytes
    assert abs((cache.bytes - counted) / (used_bytes() - used) - 1) < 0.02
