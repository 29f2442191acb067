"""Positions drawn by a seed for measurements."""

from __future__ import annotations

import numpy as np

from engine.lab.drawn_places import LATEST, drawn_move, drawn_places
from tests.support.stand_in import StandInEvaluator


def test_the_seed_names_the_positions() -> None:
    first, again, other = (drawn_places(StandInEvaluator(), 9, 4, seed) for seed in (1, 1, 2))
    assert first == again
    assert first != other
    assert len({place.moves for place in first}) == 4


def test_positions_are_of_every_stage_of_a_game() -> None:
    lengths = [len(place.moves) for place in drawn_places(StandInEvaluator(), 9, 6, 3)]
    assert lengths == sorted(lengths)
    stage = LATEST * 81 / 6
    for number, length in enumerate(lengths):
        assert round(number * stage) <= length <= round((number + 1) * stage)
    assert all(not place.position().is_over for place in drawn_places(StandInEvaluator(), 9, 6, 3))


def test_moves_have_the_probabilities_of_the_policy_and_nobody_passes() -> None:
    rng = np.random.default_rng(1)
    policy = np.array([0.3, np.nan, 0.1, 0.6], np.float32)  # the last is the pass
    moves = [drawn_move(policy, rng) for _ in range(2000)]
    assert set(moves) == {0, 2}
    assert abs(moves.count(0) / 2000 - 0.75) < 0.04
    assert drawn_move(np.array([np.nan, 1.0], np.float32), rng) is None
