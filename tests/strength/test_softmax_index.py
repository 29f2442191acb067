"""The softmax strength index: its formula, and its changes by results and win rates."""

from __future__ import annotations

import math
from dataclasses import asdict

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.strength import softmax_index
from engine.strength.softmax_index import (
    FIRST_STEP,
    IndexState,
    probabilities,
    running_win_rate,
    within_game,
)

VISITS = (80, 40, 10, 8, 7, 0)


@pytest.mark.parametrize(
    ("index", "threshold", "expected"),
    [
        (1.0, 0.1, (80, 40, 10, 8, 0, 0)),
        (2.0, 0.1, (6400, 1600, 100, 64, 0, 0)),
        (0.0, 0.1, (1, 1, 1, 1, 0, 0)),
        (-1.0, 0.1, (1 / 80, 1 / 40, 1 / 10, 1 / 8, 0, 0)),
        (math.inf, 0.1, (1, 0, 0, 0, 0, 0)),
        (-math.inf, 0.1, (0, 0, 0, 1, 0, 0)),
        (1.0, 0.5, (80, 40, 0, 0, 0, 0)),
        (1.0, 0.0, (80, 40, 10, 8, 7, 0.5)),
        (0.0, 0.0, (1, 1, 1, 1, 1, 1)),
        (-1.0, 0.0, (1 / 80, 1 / 40, 1 / 10, 1 / 8, 1 / 7, 2)),
        (-math.inf, 0.0, (0, 0, 0, 0, 0, 1)),
        (-2.0, 1.0, (1, 0, 0, 0, 0, 0)),
    ],
)
def test_moves_are_drawn_by_their_visits(
    index: float, threshold: float, expected: tuple[float, ...]
) -> None:
    shares = np.array(expected, np.float64)
    chances = probabilities(VISITS, index, threshold)
    np.testing.assert_allclose(chances, shares / shares.sum(), rtol=1e-12)


@given(
    st.lists(st.integers(0, 10**6), min_size=1, max_size=30).filter(any),
    st.floats(-50, 50),
    st.floats(0, 1),
)
def test_probabilities_come_to_one(visits: list[int], index: float, threshold: float) -> None:
    chances = probabilities(visits, index, threshold)
    assert chances.sum() == pytest.approx(1)
    assert (chances >= 0).all()
    assert all(chances[i] == 0 for i, n in enumerate(visits) if n < threshold * max(visits))


@pytest.mark.parametrize("visits", [(), (0, 0)])
def test_nothing_is_drawn_from_no_visits(visits: tuple[int, ...]) -> None:
    with pytest.raises(ValueError, match="no visits"):
        probabilities(visits, 1.0, 0.1)


def after(*points: float) -> IndexState:
    state = IndexState()
    for each in points:
        state = state.after_game(each)
    return state


def test_the_index_follows_results_by_shrinking_steps() -> None:
    """-.375 for a win, then +.3375 for a loss, a draw only shrinks the step."""
    assert after(1).index == -FIRST_STEP == -0.375
    assert after(1, 0).index == pytest.approx(-0.375 + 0.3375)
    assert after(1, 0.5).index == -0.375
    assert after(0.5).step == pytest.approx(0.3375)
    assert after(*[1.0] * 15).index == pytest.approx(-3.0, abs=0.05)
    assert after(*[1.0] * 40).step == softmax_index.LEAST_STEP
    assert after(*[1.0] * 99).index == -softmax_index.MOST
    assert after(*[0.0] * 99).index == softmax_index.MOST


def test_the_state_of_an_index_can_be_written_down() -> None:
    state = after(1, 1, 0)
    assert IndexState.from_json(asdict(state)) == state
    for wrong in ({}, {"index": 1.0}, {"index": "x", "step": 0.1}, {"index": None, "step": 1}):
        with pytest.raises(ValueError, match="strength index"):
            IndexState.from_json(wrong)


def test_the_running_win_rate_leans_on_the_last_views() -> None:
    assert running_win_rate([0.7]) == pytest.approx(0.7)
    assert running_win_rate([0.0, 1.0]) == pytest.approx(2 / 3)
    assert running_win_rate([1.0, 0.0, 0.0]) == pytest.approx(1 / 7)


def test_within_a_game_the_leader_plays_weaker() -> None:
    assert within_game(0.25, [0.5]) == 0.25
    assert within_game(0.0, [0.88]) == pytest.approx(-1.5, abs=0.01)
    assert within_game(0.0, [0.12]) == pytest.approx(1.5, abs=0.01)
    falling = [within_game(0.0, [rate]) for rate in (0.0, 0.2, 0.4, 0.6, 0.8, 1.0)]
    assert falling == sorted(falling, reverse=True)
    assert all(abs(index) <= softmax_index.MOST for index in falling)


@pytest.mark.parametrize("index", [1e7, 1e308])
def test_a_huge_index_plays_as_an_infinite_one(index: float) -> None:
    for sign in (1, -1):
        assert probabilities([9, 4, 2], sign * index, 0.1).tolist() == (
            probabilities([9, 4, 2], sign * math.inf, 0.1).tolist()
        )
