"""The map from a server's ratings to a ladder, learned from made opponents."""

from __future__ import annotations

import numpy as np
import pytest

from engine.opponents.learned_map import RatedStrength, learned_map
from engine.opponents.rating_map import LearnedMap, RatingMap

FIRST = RatingMap(1500, 1180, 1.0, 130, 0.2)


def opponents(
    number: int, *, offset: float, slope: float, spread: float, seed: int, wrong: int = 0
) -> list[RatedStrength]:
    """Opponents of a true line; the first `wrong` are stronger by 1000."""
    rng = np.random.default_rng(seed)
    rated = []
    for index in range(number):
        true_rating = rng.normal(1500, 300)
        strength = offset + slope * (true_rating - 1500) + rng.normal(0, spread)
        strength += 1000 * (index < wrong)
        elo, seen = true_rating + rng.normal(0, 60), strength + rng.normal(0, 150)
        rated.append(RatedStrength(elo, 60, seen, 150))
    return rated


def test_without_opponents_the_map_stays() -> None:
    learned = learned_map(FIRST, [])
    assert learned.line.offset == pytest.approx(1180)
    assert learned.line.offset_deviation == pytest.approx(130)
    assert learned.line.slope == pytest.approx(1, abs=0.01)
    assert learned.opponents == 0


def test_many_opponents_show_the_line() -> None:
    learned = learned_map(FIRST, opponents(300, offset=900, slope=0.8, spread=120, seed=1))
    assert learned.line.offset == pytest.approx(900, abs=30)
    assert learned.line.slope == pytest.approx(0.8, abs=0.08)
    assert learned.spread == pytest.approx(120, abs=40)
    assert learned.line.offset_deviation < 20


def test_ten_opponents_give_the_offset_within_60() -> None:
    errors, deviations = [], []
    for seed in range(40):
        learned = learned_map(FIRST, opponents(10, offset=1050, slope=1, spread=120, seed=seed))
        errors.append(learned.line.offset - 1050)
        deviations.append(learned.line.offset_deviation)
    assert np.mean(deviations) == pytest.approx(60, abs=12)
    assert np.std(errors) < 80
    assert abs(np.mean(errors)) < 40


def test_cheaters_move_the_map_little() -> None:
    def offset(wrong: int) -> LearnedMap:
        made = opponents(40, offset=1000, slope=1, spread=100, seed=3, wrong=wrong)
        return learned_map(FIRST, made)

    moved = offset(4).line.offset - offset(0).line.offset
    assert 0 <= moved < 50  # a mean would move by 100


def test_the_share_of_wrong_ratings_is_learned() -> None:
    made = [
        opponents(100, offset=1000, slope=1, spread=100, seed=3, wrong=wrong) for wrong in (0, 20)
    ]
    few, many = (learned_map(FIRST, each).tail_share for each in made)
    assert few < 0.05
    assert 0.12 < many < 0.35  # a fifth, and those of the tail near the line
    assert learned_map(FIRST, []).tail_share == pytest.approx(0.05)
