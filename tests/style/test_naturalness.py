"""The naturalness budget as numbers: its floors, the excess over them, the remaining moves."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

from engine.style.naturalness import NEVER, Excess, Floors, Naturalness

FLOORS = Floors(0.08, 2.0)
MOVES = np.arange(4)


def array(*values: float) -> np.ndarray[Any, np.dtype[np.float64]]:
    return np.array(values, np.float64)


@pytest.mark.parametrize(
    ("changed", "quoted"),
    [
        ({"probability": 1.5}, "probability 1.5"),
        ({"probability": "much"}, "probability 'much'"),
        ({"points": 0}, "points 0"),
        ({"points": math.inf}, "points inf"),
        ({"win_rate": 0.0}, "win_rate 0.0"),
        ({"opening": 0.5}, "opening 0.5"),
        ({"opening_until": -1.0}, "opening_until -1.0"),
        ({"ladders": 1}, "ladders 1"),
        ({"leaves": 2.0}, "leaves 2.0"),
        ({"visits": 0}, "visits 0"),
        ({"visits": True}, "visits True"),
        ({"profile": 5}, "profile 5"),
        ({"profile": "5k"}, "no profile '5k'"),
    ],
)
def test_a_wrong_budget_is_quoted(changed: dict[str, Any], quoted: str) -> None:
    with pytest.raises(ValueError, match=quoted):
        Naturalness(**changed)


def test_an_opening_is_controlled_more_gently() -> None:
    """Twice as strict at first, once and no more from the end of the opening on."""
    budget = Naturalness(probability=0.05, points=4.0, win_rate=0.1, opening=2.0, opening_until=0.2)
    assert budget.floors(0.0, in_points=True) == Floors(0.10, 2.0)
    middle = budget.floors(0.1, in_points=True)
    assert (middle.probability, middle.loss) == pytest.approx((0.075, 4 / 1.5))
    assert budget.floors(0.2, in_points=True) == budget.floors(0.9, in_points=True)
    assert budget.floors(0.9, in_points=False) == Floors(0.05, 0.1, in_points=False)
    assert Naturalness(opening_until=0.0).floors(0.0, in_points=True).probability == 0.05


def test_floors_are_relaxed_together_and_as_often_as_a_move_needs() -> None:
    chances = array(0.08, 0.05, 0.5, 0.5, 0.001, 0.0, 0.5)
    losses = array(0.0, 0.0, 2.0, 7.0, 0.0, 0.0, np.nan)
    # Half of 0.08 admits 0.05; two doublings of 2.0 admit 7; 0.08 / 0.001 is between 2^6 and 2^7;
    # an unsearched move loses as much as the worst.
    expected = array(0, 1, 0, 2, 7, NEVER, 2)
    assert np.array_equal(FLOORS.times(chances, losses), expected)
    assert FLOORS.relaxed(2) == Floors(0.02, 8.0)
    assert str(FLOORS.relaxed(2)) == "a probability of 2% and a loss of 8 points"
    assert (
        str(Floors(0.05, 0.2, in_points=False))
        == "a probability of 5% and a loss of 20% of the win rate"
    )


def test_a_floor_of_nought_asks_for_nothing() -> None:
    assert Floors(0.0, 2.0).times(array(0.0, 0.5), array(0.0, 3.0)).tolist() == [0, 1]


@pytest.mark.parametrize(
    ("times", "fair", "told"),
    [
        ((0, 3, 0, NEVER), [0, 2], ""),
        (
            (2, 3, 2, NEVER),
            [0, 2],
            "No natural move was left. The limits of naturalness are relaxed to a probability of 2%"
            " and a loss of 8 points.",
        ),
        (
            (NEVER,) * 4,
            [0, 1, 2, 3],
            "No natural move was left. The limits of naturalness are lifted.",
        ),
    ],
)
def test_fair_moves_are_those_that_need_the_least(
    times: tuple[float, ...], fair: list[int], told: str
) -> None:
    moves, words = Excess(FLOORS, array(*times), minimum_share=0.75).allowed(MOVES)
    assert (moves.tolist(), words) == (fair, told)


def test_only_the_moves_that_may_be_played_are_compared() -> None:
    moves, _ = Excess(FLOORS, array(0, 3, 1, 3), minimum_share=0.75).allowed(np.array([1, 3]))
    assert moves.tolist() == [1, 3]


@pytest.mark.parametrize(
    ("chances", "kept", "told"),
    [
        # A strong level hardly plays moves below the floors.
        ((0.5, 0.4, 0.06, 0.04), (5 / 9, 4 / 9, 0, 0), ""),
        # A random player loses only as much as a quarter.
        (
            (0.25,) * 4,
            (1 / 3, 1 / 3, 1 / 3, 0),
            "The limits of naturalness are relaxed to a probability of 2% and a loss of 8 points"
            " for the level.",
        ),
        # A player of the worst moves continues with them.
        (
            (0.0, 0.0, 0.1, 0.9),
            (0, 0, 0.1, 0.9),
            "The limits of naturalness are lifted for the level.",
        ),
    ],
)
def test_a_level_keeps_most_of_its_play(
    chances: tuple[float, ...], kept: tuple[float, ...], told: str
) -> None:
    excess = Excess(FLOORS, array(0, 0, 2, NEVER), minimum_share=0.75)
    found, words = excess.filtered(MOVES, array(*chances))
    assert found == pytest.approx(array(*kept))
    assert words == told
