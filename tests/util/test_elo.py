from __future__ import annotations

import math

import numpy as np
import pytest

from engine.util.elo import Meeting, UnboundedError, fit, sequential_ratings


def test_two_players_by_hand() -> None:
    # 75% of the points are odds of 3: 190.85 Elo apart, half on each side of the mean. The log
    # odds' variance is 1 / (100 * .75 * .25); each player has a quarter of it.
    strong, weak = fit(2, [Meeting(0, 1, 75, 100)])
    assert strong.elo == pytest.approx(400 * math.log10(3) / 2, abs=1e-6)
    assert weak.elo == pytest.approx(-strong.elo)
    by_hand = 1.959964 * math.sqrt(1 / (100 * 0.75 * 0.25)) / 2 * 400 / math.log(10)
    assert strong.error == weak.error == pytest.approx(by_hand)


def test_a_ladder_of_three_by_hand() -> None:
    # 2:1 and 2:1 between neighbours fit with 4:1 between the ends: odds of 4, 2 and 1.
    meetings = [Meeting(0, 1, 20, 30), Meeting(2, 1, 10, 30), Meeting(0, 2, 40, 50)]
    step = 400 * math.log10(2)
    ratings = fit(3, meetings)
    assert [rating.elo for rating in ratings] == pytest.approx([step, 0, -step], abs=1e-6)
    assert ratings[0].error == pytest.approx(ratings[2].error)


def test_ratings_from_an_anchor_are_distances_to_it() -> None:
    # With two players the interval of the distance is twice that of each around their mean.
    strong, weak = fit(2, [Meeting(0, 1, 75, 100)], anchor=1)
    around = fit(2, [Meeting(0, 1, 75, 100)])
    assert (weak.elo, weak.error) == (0.0, 0.0)
    assert strong.elo == pytest.approx(400 * math.log10(3))
    assert strong.error == pytest.approx(2 * around[0].error)


def test_a_circle_is_a_tie() -> None:
    circle = [Meeting(0, 1, 9, 10), Meeting(1, 2, 9, 10), Meeting(2, 0, 9, 10)]
    ratings = fit(3, circle)
    assert [rating.elo for rating in ratings] == pytest.approx([0, 0, 0], abs=1e-6)
    # Each pair's 10 games weigh 10 / 4; the Laplacian of a triangle of weights w has the
    # eigenvalue 3w twice, so each variance is (1 - 1/3) / 3w.
    by_hand = 1.959964 * math.sqrt(2 / (9 * 10 / 4)) * 400 / math.log(10)
    assert [rating.error for rating in ratings] == pytest.approx([by_hand] * 3)


def test_a_circle_of_wins_is_rated() -> None:
    # 0 beats 1 always, 1 beats 2 always, 2 once beat 0: one game connects them all.
    ratings = fit(3, [Meeting(0, 1, 10, 10), Meeting(1, 2, 10, 10), Meeting(2, 0, 1, 10)])
    assert ratings[0].elo > ratings[1].elo > ratings[2].elo
    assert sum(rating.elo for rating in ratings) == pytest.approx(0, abs=1e-6)


@pytest.mark.parametrize(
    "meetings",
    [
        [Meeting(0, 1, 10, 10), Meeting(1, 2, 5, 10)],
        [Meeting(0, 1, 5, 10), Meeting(1, 2, 10, 10)],
        [Meeting(0, 1, 5, 10)],
        [],
    ],
)
def test_no_finite_rating_is_an_error(meetings: list[Meeting]) -> None:
    with pytest.raises(UnboundedError):
        fit(3, meetings)


def test_prior_draws_hold_a_perfect_score() -> None:
    # A draw more is 10.5 points of 11: odds of 21.
    strong, weak = fit(2, [Meeting(0, 1, 10, 10)], prior_draws=1)
    assert strong.elo - weak.elo == pytest.approx(400 * math.log10(21), abs=1e-6)


@pytest.mark.parametrize("reach", [(1, 2), (1, 2, 3)])
@pytest.mark.parametrize(("step", "games"), [(100.0, 12), (200.0, 6)])
def test_a_long_chain_of_few_games_keeps_its_length(
    step: float, games: int, reach: tuple[int, ...]
) -> None:
    """With half a draw for each pair, one of (1, 2, 3) and 200 Elo is a twentieth too short."""
    rng = np.random.default_rng(1)
    ends = []
    for _ in range(24):
        meetings = [
            Meeting(lower + each, lower, float(rng.binomial(games, chance)), games)
            for each in reach
            for chance in [1 / (1 + 10 ** (-step * each / 400))]
            for lower in range(30 - each)
        ]
        ends.append(fit(30, meetings, anchor=0, unbiased=True)[-1].elo)
    assert np.mean(ends) == pytest.approx(29 * step, rel=0.025)


def test_an_unbiased_perfect_score_is_finite() -> None:
    # One pair has the whole leverage: half a draw, 10.5 points of 11 games, odds of 21.
    strong, weak = fit(2, [Meeting(0, 1, 10, 10)], unbiased=True)
    assert strong.elo - weak.elo == pytest.approx(400 * math.log10(21), abs=1e-6)
    with pytest.raises(UnboundedError):
        fit(3, [Meeting(0, 1, 10, 10)], unbiased=True)


def test_one_player_is_the_mean() -> None:
    assert fit(1, [])[0].elo == 0
    with pytest.raises(ValueError, match="not 0"):
        fit(0, [])


def test_sequential_ratings_by_hand() -> None:
    # Equal players expect half a point: a win moves the ratings by half of the factor, a draw not.
    assert sequential_ratings(2, [(0, 1, 1.0)], factor=8) == [1504, 1496]
    assert sequential_ratings(3, [(0, 1, 0.5), (2, 1, 0.0)], factor=8) == [1500, 1504, 1496]
    # A constant winner rises ever more slowly: d points ahead, by 8 / (1 + 10 ** (d / 400)).
    first, second = sequential_ratings(2, [(0, 1, 1.0)] * 1000, factor=8, start=0)
    assert first == pytest.approx(-second)
    assert 750 < first - second < 800
