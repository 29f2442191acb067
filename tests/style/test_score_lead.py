"""Algorithm 1 as published: its worked example, its candidates, its weights."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

from engine.style.score_lead import ScoreLead
from engine.style.target_leads import Candidate

# From the paper: the probability, the lead after it, and s with gamma 2, cut after four digits.
WORKED = {
    "E8": (0.4755, -1.234, 699),
    "G8": (0.1410, 0.527, 61),
    "J8": (0.1307, 0.605, 53),
    "F8": (0.1094, 1.862, 18),
}


def test_the_papers_example_comes_out() -> None:
    ending = ScoreLead(gamma=2)
    weights = {}
    for number, (name, (probability, lead, said)) in enumerate(WORKED.items()):
        weights[name] = ending.at(0.0).weight(Candidate(number, probability, lead))
        assert int(weights[name] * 10_000) == said
    assert max(weights, key=lambda name: weights[name]) == "E8"


@pytest.mark.parametrize(
    ("lead", "expected"),
    [(-10, 0.5), (-4, 0.5), (-7, 0.5), (-12, 0.5 / 25), (-3, 0.5 / 5), (2, 0.5 / 5**6)],
)
def test_moves_beyond_the_leads_have_less_weight(lead: float, expected: float) -> None:
    assert ScoreLead().at(0.0).weight(Candidate(0, 0.5, lead)) == pytest.approx(expected)


def policy(*likely: float, moves: int = 40) -> np.ndarray[Any, np.dtype[np.float32]]:
    """Probabilities; one of the other moves shares the rest, the last may not be played."""
    found = np.full(moves, 0.0, np.float32)
    found[: len(likely)] = likely
    found[-2] = 1 - found.sum()
    found[-1] = -1
    return found


def test_the_likeliest_moves_are_considered_and_a_certain_one_alone() -> None:
    ending = ScoreLead()
    assert ending.likely(policy(0.5, 0.3, 0.15, 0.04, 0.009)) == [0, 1, 2, 3]
    assert ending.likely(policy(0.05, 0.91)) == [1]
    assert ending.likely(policy(0.1, 0.9)) == [1, 0]  # not more than 0.9
    assert len(ending.likely(policy(*[0.03] * 30))) == 20
    assert len(ScoreLead(kept=3).likely(policy(*[0.03] * 30))) == 3


def test_of_moves_all_unlikely_the_likeliest_is_left_and_none_that_may_not_be_played() -> None:
    ending = ScoreLead(least_probability=0.2)
    assert ending.likely(np.array([0.1, 0.15, -1, -1], np.float32)) == [1]
    ending = ScoreLead(least_probability=0.0)
    assert ending.likely(np.array([0.0, 0.6, -1], np.float32)) == [1, 0]


def test_moves_of_too_great_a_loss_are_not_allowed() -> None:
    leads = (3.0, -1.9, -2.0, -2.1)
    candidates = [Candidate(number, 0.2, lead) for number, lead in enumerate(leads)]
    assert [each.move for each in ScoreLead().allowed(candidates)] == [0, 1, 2]


def test_a_gift_of_the_opponent_may_be_declined() -> None:
    candidates = [Candidate(number, 0.2, lead) for number, lead in enumerate((20.0, -1.0, -4.1))]
    assert [each.move for each in ScoreLead().allowed(candidates)] == [0]
    assert [each.move for each in ScoreLead().allowed(candidates, 1.0)] == [0, 1]
    assert [each.move for each in ScoreLead().allowed(candidates, 30.0)] == [0]


@pytest.mark.parametrize(
    "settings",
    [
        {"kept": 0},
        {"certain": 1.5},
        {"least_probability": math.nan},
        {"most_loss": 0.0},
        {"gamma": 1.0},
        {"gamma": math.inf},
        {"lowest": -3.0},
        {"highest": math.inf},
    ],
)
def test_settings_that_cannot_be_are_quoted(settings: dict[str, Any]) -> None:
    ((name, value),) = settings.items()
    with pytest.raises(ValueError, match=f"{name} {value!r}"):
        ScoreLead(**settings)
