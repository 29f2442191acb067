from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from engine.strength.level import RANDOM, Level, weights

PRIORS = np.array([0.5, 0.3, 0.15, 0.04, 0.01])
VISITS = np.array([9.0, 20.0, 1.0, 0.0, 0.0])
HEURISTIC = np.array([0.0, 0.0, 2.0, 1.0, -1.0])
UTILITIES = np.array([0.1, 0.3, -0.2, np.nan, np.nan])

LEVELS = {
    "random": RANDOM,
    "policy": Level(),
    "sharp": Level(index=3.0),
    "greedy": Level(index=0.0, greed=2.0),
    "beginner": Level(index=0.4, greed=1.0, random_share=0.1),
    "search": Level(visits=30, index=2.0, floor=0.02),
    "strict": Level(floor=0.9),
    "perverse": Level(index=-1.0, greed=-1.0),
    "worst": Level(worst_share=1.0),
    "people": Level(rank=22.5, index=1.2),
    "restrained people": Level(visits=16, rank=10.0, restraint=5.0),
}


@pytest.mark.parametrize("level", LEVELS.values(), ids=list(LEVELS))
@pytest.mark.parametrize("count", [1, 2, 5])
def test_all_chances_come_to_one(level: Level, count: int) -> None:
    chances = weights(level, PRIORS[:count], VISITS[:count], HEURISTIC[:count])
    assert chances.sum() == pytest.approx(1.0)
    assert (chances >= 0).all()


# By hand, from the formula in Level's docstring.
CASES: dict[str, tuple[Level, list[float]]] = {
    "each move as likely": (RANDOM, [0.2] * 5),
    "the policy itself": (Level(), [0.5, 0.3, 0.15, 0.04, 0.01]),
    "its floor": (Level(floor=0.1), [50 / 95, 30 / 95, 15 / 95, 0, 0]),
    "a floor above all": (Level(floor=0.6), [0.5, 0.3, 0.15, 0.04, 0.01]),
    "the worst": (Level(worst_share=1.0), [0, 0, 0, 0, 1]),
    "the worst above the floor": (Level(worst_share=1.0, floor=0.02), [0, 0, 0, 1, 0]),
    "half by chance": (Level(random_share=0.5), [0.35, 0.25, 0.175, 0.12, 0.105]),
    "visits and policy": (
        Level(visits=31, index=1.0),
        [9.5 / 31, 20.3 / 31, 1.15 / 31, 0.04 / 31, 0.01 / 31],
    ),
    "a flat policy beside the visits": (
        Level(visits=31, index=1.0, policy_power=0.0),
        [9.2 / 31, 20.2 / 31, 1.2 / 31, 0.2 / 31, 0.2 / 31],
    ),
    "the worst by the heuristic": (Level(index=0.0, greed=1.0, worst_share=1.0), [0, 0, 0, 0, 1]),
    "equals for the worst": (RANDOM, [0.2] * 5),
}


@pytest.mark.parametrize(("level", "expected"), CASES.values(), ids=list(CASES))
def test_chances_by_hand(level: Level, expected: list[float]) -> None:
    assert weights(level, PRIORS, VISITS, HEURISTIC) == pytest.approx(expected, abs=1e-6)


def test_the_heuristic_counts_in_nats() -> None:
    chances = weights(Level(index=0.0, greed=0.5), PRIORS, VISITS, HEURISTIC)
    assert chances[2] / chances[0] == pytest.approx(np.exp(0.5 * 2.0))
    assert chances[4] / chances[0] == pytest.approx(np.exp(0.5 * -1.0))


def test_visits_of_a_level_that_makes_none_do_not_count() -> None:
    assert weights(Level(), PRIORS, VISITS, HEURISTIC) == pytest.approx(PRIORS)


def test_people_are_drawn_by_policy_and_restrained_by_utility() -> None:
    # By hand: p * exp((u - u_max) / lambda), piKL; the visits do not count.
    level = Level(visits=30, rank=10.0, restraint=1 / 0.2)
    piled = PRIORS * np.exp((np.array([0.1, 0.3, -0.2, -0.2, -0.2]) - 0.3) / 0.2)
    chances = weights(level, PRIORS, VISITS, HEURISTIC, UTILITIES)
    assert chances == pytest.approx(piled / piled.sum())
    sharper = weights(replace(level, index=2.0), PRIORS, VISITS, HEURISTIC, UTILITIES)
    assert sharper == pytest.approx(PRIORS * piled / (PRIORS * piled).sum())


def test_a_common_utility_changes_nothing() -> None:
    level = Level(visits=30, rank=10.0, restraint=8.0)
    chances = weights(level, PRIORS, VISITS, HEURISTIC, UTILITIES)
    ahead = weights(level, PRIORS, VISITS, HEURISTIC, UTILITIES + 0.9)
    assert ahead == pytest.approx(chances)


@pytest.mark.parametrize("utilities", [None, np.full(5, np.nan), np.full(5, 0.7)])
def test_without_a_difference_in_utility_people_play_as_they_do(utilities: Any) -> None:
    level = Level(visits=30, rank=10.0, restraint=8.0)
    assert weights(level, PRIORS, VISITS, HEURISTIC, utilities) == pytest.approx(PRIORS)


def test_without_a_search_there_is_no_restraint() -> None:
    level = Level(rank=10.0, restraint=8.0)
    assert not level.uses_utilities
    assert weights(level, PRIORS, VISITS, HEURISTIC, UTILITIES) == pytest.approx(PRIORS)


@pytest.mark.parametrize(
    ("level", "people", "imitation"),
    [
        (RANDOM, False, False),
        (Level(), False, False),
        (Level(rank=20.0), True, True),
        (Level(rank=20.0, visits=9, restraint=2.0), True, True),
        (Level(rating=1500.0), True, True),
        (Level(rating=1100.0, index=0.5), True, False),
        (Level(rank=29.0, index=0.5, greed=1.0), True, False),
        (Level(rank=29.0, index=0.5), True, False),
        (Level(rank=29.0, index=0.5, reading=24), True, True),
        (Level(rank=29.0, index=0.0, greed=1.0), False, False),
    ],
)
def test_a_level_tells_whether_it_is_of_people(level: Level, people: bool, imitation: bool) -> None:
    assert (level.needs_people, level.is_imitation) == (people, imitation)


@pytest.mark.parametrize(
    ("level", "blind"),
    [
        (RANDOM, True),
        (Level(index=0.0, greed=2.0), True),
        (Level(index=-0.5, greed=-1.0), True),
        (Level(index=0.0, floor=0.01), False),
        (Level(index=0.1, greed=2.0, rank=29.0), False),
    ],
)
def test_a_level_is_blind_unless_a_policy_makes_good_moves_likelier(
    level: Level, blind: bool
) -> None:
    assert level.is_blind is blind


def test_a_policy_of_zeros_is_a_level_one() -> None:
    chances = weights(Level(index=-2.0), np.array([1.0, 0.0, 0.0]), VISITS[:3], HEURISTIC[:3])
    assert chances[1] == chances[2] == pytest.approx(0.5)


@pytest.mark.parametrize(
    ("level", "network", "heuristic"),
    [
        (RANDOM, False, False),
        (Level(), True, False),
        (Level(index=0.0, greed=1.0), False, True),
        (Level(policy_power=0.0), False, False),
        (Level(policy_power=0.0, visits=8), True, False),
        (Level(random_share=1.0, greed=1.0), False, False),
        (Level(index=0.0, floor=0.1), True, False),
    ],
)
def test_a_level_names_the_inputs_it_needs(level: Level, network: bool, heuristic: bool) -> None:
    assert (level.needs_network, level.needs_heuristic) == (network, heuristic)
    chances = weights(level, PRIORS, VISITS, HEURISTIC)
    if not network:
        assert weights(level, np.ones(5), VISITS, HEURISTIC) == pytest.approx(chances)
        assert weights(level, PRIORS[::-1], VISITS[::-1], HEURISTIC) == pytest.approx(chances)
    else:
        assert weights(level, PRIORS[::-1], VISITS[::-1], HEURISTIC) != pytest.approx(chances)
    assert (weights(level, PRIORS, VISITS, -HEURISTIC) == pytest.approx(chances)) is not heuristic


@pytest.mark.parametrize("level", LEVELS.values(), ids=list(LEVELS))
def test_a_level_survives_being_written(level: Level) -> None:
    assert Level.from_json(level.to_json()) == level


WRONG: dict[str, Any] = {
    "visits": (0, 1.5, True, 10**9, "8"),
    "index": (float("nan"), float("inf"), "1", False),
    "floor": (-0.1, 1.1),
    "random_share": (-0.1, 1.1),
    "worst_share": (2,),
    "solve": (1, None),
    "rank": (0.5, 35.0, -1.0, "8k"),
    "rating": (0.5, 9000.0, -1.0, "1500"),
    "restraint": (float("nan"), "1"),
    "sight": (1,),
}


@pytest.mark.parametrize(
    ("name", "value"), [(name, value) for name, values in WRONG.items() for value in values]
)
def test_wrong_fields_are_named(name: str, value: Any) -> None:
    with pytest.raises(ValueError, match=name):
        Level.from_json({name: value})


def test_a_level_imitates_players_of_one_game() -> None:
    with pytest.raises(ValueError, match="two games"):
        Level(rank=10.0, rating=1500.0)


def test_shares_beyond_one_are_refused() -> None:
    with pytest.raises(ValueError, match="random_share"):
        replace(RANDOM, random_share=0.6, worst_share=0.6)
