"""Searches on a stand-in network, for the tests of the search."""

from __future__ import annotations

from collections.abc import Callable

from engine._core import EvaluationCache, GoPosition, GoRules
from engine.search.search import Search, SearchSettings
from tests.support.stand_in import StandInEvaluator, StandInSlot


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
