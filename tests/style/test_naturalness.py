"""The naturalness budget as numbers: its floors, the excess over them, the remaining moves."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

from engine.style.naturalness import NEVER, Excess, Floors, Naturalness, Numbers

FLOORS = Floors(0.08, 2.0)
MOVES = np.arange(4)


def array(*values: float) -> Numbers:
    return np.array(values, np.float64)


def excess_of(likely: Numbers, losses: Numbers | None = None) -> Excess:
    return Excess(FLOORS, likely, np.zeros(4) if losses is None else losses, minimum_share=0.75)


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
    assert np.array_equal(Excess(FLOORS, chances, losses, minimum_share=0.75).times, expected)
    assert FLOORS.relaxed(2) == Floors(0.02, 8.0)
    assert str(FLOORS.relaxed(2)) == "a probability of 2% and a loss of 8 points"
    assert (
        str(Floors(0.05, 0.2, in_points=False))
        == "a probability of 5% and a loss of 20% of the win rate"
    )


def test_a_floor_of_nought_asks_for_nothing() -> None:
    excess = Excess(Floors(0.0, 2.0), array(0.0, 0.5), array(0.0, 3.0), minimum_share=0.75)
    assert excess.times.tolist() == [0, 1]


@pytest.mark.parametrize(
    ("likely", "fair", "told"),
    [
        ((0.08, 0.01, 0.08, 0.0), [0, 2], ""),
        (
            (0.02, 0.01, 0.02, 0.0),
            [0, 2],
            "No natural move was left. The limits of naturalness are relaxed to a probability of 2%"
            " and a loss of 8 points.",
        ),
        (
            (0.0,) * 4,
            [0, 1, 2, 3],
            "No natural move was left. The limits of naturalness are lifted.",
        ),
    ],
)
def test_fair_moves_are_those_that_need_the_least(
    likely: tuple[float, ...], fair: list[int], told: str
) -> None:
    moves, words = excess_of(array(*likely)).allowed(MOVES)
    assert (moves.tolist(), words) == (fair, told)


def test_only_the_moves_that_may_be_played_are_compared() -> None:
    moves, _ = excess_of(array(0.08, 0.01, 0.04, 0.01)).allowed(np.array([1, 3]))
    assert moves.tolist() == [1, 3]


def test_nothing_excuses_a_misread_ladder() -> None:
    excess = Excess(FLOORS, np.ones(4), np.zeros(4), 0.75, inexcusable=frozenset({2}))
    assert excess.allowed(MOVES)[0].tolist() == [0, 1, 3]
    assert excess.filtered(MOVES, np.full(4, 0.25)).tolist() == pytest.approx(
        [1 / 3, 1 / 3, 0, 1 / 3]
    )


@pytest.mark.parametrize(
    ("chances", "likely", "losses", "kept"),
    [
        # A strong level hardly plays moves below the floors.
        ((0.5, 0.4, 0.06, 0.04), (0.5, 0.4, 0.02, 0), (0, 0, 0, 0), (5 / 9, 4 / 9, 0, 0)),
        # A random player loses only as much as a quarter.
        ((0.25,) * 4, (0.5, 0.4, 0.02, 0), (0, 0, 0, 0), (1 / 3, 1 / 3, 1 / 3, 0)),
        # A player of the worst moves continues with them.
        ((0, 0, 0.1, 0.9), (0.5, 0.4, 0.02, 0), (0, 0, 0, 0), (0, 0, 0.1, 0.9)),
        # Moves that nobody plays do not excuse a great loss, while others have the share.
        ((0.25,) * 4, (0.9, 0.02, 0, 0.9), (0, 0, 0, 9), (1 / 3, 1 / 3, 1 / 3, 0)),
        # Else the loss is relaxed too.
        ((0.1, 0.1, 0.4, 0.4), (0.9, 0.02, 0.9, 0.9), (0, 0, 9, 40), (1 / 9, 0, 4 / 9, 4 / 9)),
    ],
)
def test_a_level_keeps_most_of_its_play(
    chances: tuple[float, ...],
    likely: tuple[float, ...],
    losses: tuple[float, ...],
    kept: tuple[float, ...],
) -> None:
    filtered = excess_of(array(*likely), array(*losses)).filtered(MOVES, array(*chances))
    assert filtered == pytest.approx(array(*kept))


@pytest.mark.parametrize(
    ("move", "told"),
    [
        (0, ""),
        (1, "People play it with a probability of 1.2%."),
        (2, "It loses 3.5 points."),
        (3, "People play it with a probability of 0.0%, and it loses 12 points."),
    ],
)
def test_a_move_over_the_limits_is_remarked(move: int, told: str) -> None:
    excess = excess_of(array(0.5, 0.012, 0.4, 0.0), array(0, np.nan, 3.5, 12))
    assert excess.remark(move) == told
