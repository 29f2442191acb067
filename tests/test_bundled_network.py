"""The network that comes with Sparring: it loads, and it finishes sensible games by itself."""

from __future__ import annotations

import random

import numpy as np
import pytest

from engine._core import EvaluationCache, GoPosition
from engine.evaluator import Evaluator
from engine.networks.runtime import load_evaluator
from engine.records import Limit
from engine.rules import RULE_SETS
from engine.search import Search, SearchSettings
from protocols.holding import bundled_network

VISITS = 24


@pytest.fixture(scope="module")
def evaluator() -> Evaluator:
    return load_evaluator(bundled_network())


def search_for(evaluator: Evaluator, seed: int) -> Search:
    return Search(evaluator, SearchSettings(), EvaluationCache(4096), seed)


def test_it_is_small() -> None:
    assert bundled_network().stat().st_size < 6_000_000


@pytest.mark.parametrize("size", [7, 9, 13])
@pytest.mark.parametrize("rules", ["tromp-taylor", "japanese"])
def test_it_ends_its_games_with_the_board_divided(
    evaluator: Evaluator, size: int, rules: str
) -> None:
    position = GoPosition(size, size, RULE_SETS[rules], 7.5)
    search = search_for(evaluator, size)
    while not position.is_over and position.move_number < 3 * size * size:
        search.set_position(position)
        best = search.run(Limit(visits=VISITS)).best
        assert best is not None
        position.play(best.move)
    assert position.is_over
    assert (position.stones != 0).mean() > 0.3


@pytest.mark.parametrize("color", [0, 1])
def test_it_takes_the_board_from_a_random_player(evaluator: Evaluator, color: int) -> None:
    position = GoPosition(9, 9, RULE_SETS["tromp-taylor"], 7.5)
    search = search_for(evaluator, color)
    rng = random.Random(color)
    while not position.is_over and position.move_number < 200:
        if position.to_move == color:
            search.set_position(position)
            best = search.run(Limit(visits=VISITS)).best
            assert best is not None
            move = best.move
        else:
            move = rng.choice([*np.flatnonzero(position.legal_mask()[:-1]), position.pass_move])
        position.play(int(move))
    lead = position.black_score if color == 0 else -position.black_score
    assert lead > 40
