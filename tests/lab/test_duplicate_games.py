"""The share of chance in the results of duplicate games."""

from __future__ import annotations

import math

import numpy as np
import pytest

from engine.lab.calibrate.round import CalibrationEffort, CalibrationRound
from engine.lab.duplicate_games import chance_share, distance_without_noise, mean_result
from engine.match.game_spec import GameSpec


def test_a_deal_that_decides_every_game_explains_all() -> None:
    assert chance_share([[(1, 0), (0, 1)] * 8])[0] == pytest.approx(1.0)


def test_a_share_of_luck_is_found_among_players_of_any_strength() -> None:
    """A third of the variance is the deal's; players differ much, and that is no luck."""
    rng = np.random.default_rng(1)
    meetings = []
    for better in (-2.0, 0.0, 1.0):
        deal = rng.normal(size=(4000, 1))
        own = rng.normal(size=(4000, 2)) * math.sqrt(2)
        meetings.append(better + own + deal * [1.0, -1.0])
    share, half = chance_share(meetings)
    assert share == pytest.approx(1 / 3, abs=0.03)
    assert half == pytest.approx(1.96 / math.sqrt(12000), rel=0.01)


def test_nothing_is_known_without_a_variance() -> None:
    assert math.isnan(chance_share([])[0])
    assert math.isnan(chance_share([[(0.5, 0.5)]])[0])


def test_an_interval_by_pairs_lacks_the_chance_that_both_games_share() -> None:
    rng = np.random.default_rng(2)
    deal = rng.normal(size=(2000, 1))
    pairs = 0.3 + deal * [1.0, -1.0] + 0.1 * rng.normal(size=(2000, 2))
    mean, half = mean_result(pairs)
    assert mean == pytest.approx(0.3, abs=0.01)
    assert half == pytest.approx(1.96 * 0.1 / math.sqrt(4000), rel=0.1)
    assert math.isnan(mean_result(pairs[:1])[1])


def test_a_distance_without_noise_is_the_true_one() -> None:
    """Forty games against each of many opponents; the true means are .2 and -.2 in turn."""
    rng = np.random.default_rng(4)
    games = rng.normal(size=(3000, 20, 2)) + np.resize([0.2, -0.2], (3000, 1, 1))
    results = [mean_result(pairs) for pairs in games]
    assert distance_without_noise(results) == pytest.approx(0.2, abs=0.02)
    assert np.abs([mean for mean, _ in results]).mean() > 0.21


def test_a_round_pairs_the_two_games_of_an_opening() -> None:
    start = GameSpec("einstein", 5, 5)
    each = CalibrationRound(start, (0.0, 250.0), CalibrationEffort(games=6, seconds=1.0), seed=1)
    # The upper rung is color 1 in even laps and color 0 in odd ones; the last game has no partner.
    for game, points in enumerate([1.0, 1.0, 0.0, 0.0, 0.0]):
        each.add({"game": game, "tags": [0, 1], "points": points, "seconds": 0.0})
    assert each.duplicates() == [[(0.0, 1.0), (1.0, 0.0)]]
