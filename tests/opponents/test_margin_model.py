"""The margin model: the density of a margin by both strengths, and the level of a game."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from engine.opponents.margin_model import MarginModel, game_level, guessed
from engine.values import Standing

ODDS = np.array([-3.0, -1.0, 0.0, 1.0, 3.0])  # of our win, against weaker and weaker opponents
OPEN = 70.0
MIDDLE = 0.5  # a rank


def test_the_density_of_all_margins_is_one_and_above_0_it_is_the_chance_of_a_win() -> None:
    model = guessed()
    margins = np.arange(-600.0, 600.0, 0.25) + 0.125
    densities = np.exp([model.log_likelihood(ODDS, float(each), MIDDLE, OPEN) for each in margins])
    assert densities.sum(axis=0) * 0.25 == pytest.approx(np.ones(5), abs=1e-3)
    won = densities[margins > 0].sum(axis=0) * 0.25
    assert won == pytest.approx(1 / (1 + np.exp(-model.share * ODDS)), abs=3e-3)
    assert np.exp(model.result_log_likelihood(ODDS, 1.0)) == pytest.approx(won, abs=3e-3)


def test_a_small_margin_tells_the_winner_and_a_great_one_more_of_the_strengths() -> None:
    model = guessed()

    def preference(margin: float) -> float:
        """The log likelihood of a much weaker opponent less that of an equal one."""
        likelihood = model.log_likelihood(ODDS, margin, MIDDLE, OPEN)
        return float(likelihood[-1] - likelihood[2])

    lost, won = (model.result_log_likelihood(ODDS, points) for points in (0.0, 1.0))
    assert lost[-1] - lost[2] < preference(-0.5) < 0.5 * (lost[-1] - lost[2])
    assert preference(0.5) < preference(20.0) < won[-1] - won[2] < preference(40.0)
    # A lost game's margin says as much nearer to 0: the opponent's wins are smaller than ours.
    assert -preference(-20.0) > won[-1] - won[2]
    # The margin of a lost group tells the winner alone, and no margin more than the share allows.
    assert preference(-80.0) == pytest.approx(lost[-1] - lost[2], abs=0.2)
    assert preference(400.0) == pytest.approx(model.share * 3.0, abs=1e-3)


def test_the_same_margin_says_less_on_a_larger_board() -> None:
    model = guessed()
    small, large = (model.log_likelihood(ODDS, 10.0, MIDDLE, each) for each in (OPEN, 4.5 * OPEN))
    assert small[-1] - small[2] > large[-1] - large[2]


def test_a_games_level_counts_turns_by_the_points_they_settle() -> None:
    def at(still_open: float) -> Standing:
        return Standing(0.0, 0.5, 0.0, open_points=still_open)

    standings = [at(70.0), at(40.0), at(40.0), at(10.0)]
    assert game_level([100.0, 9000.0, 200.0, 400.0], standings) == pytest.approx(
        (30 * 100 + 30 * 200 + 10 * 400) / 70, abs=0.1
    )
    assert game_level([300.0], [at(0.0)]) == pytest.approx(300.0)


def test_it_is_the_same_when_written_and_read_again() -> None:
    written = replace(guessed(), gain_deviation=250.0).to_json()
    assert MarginModel.from_json(written).to_json() == written


def test_earlier_tables_by_our_level_are_replaced_by_the_guess() -> None:
    earlier = {"share": 0.5, "gain": [1.0] * 5, "spread": [1.0] * 5}
    assert MarginModel.from_json(earlier).to_json() == guessed().to_json()


@pytest.mark.parametrize(
    "change",
    [
        {"share": 0.0},
        {"share": float("inf")},
        {"gain": np.zeros(3)},
        {"gain": np.full(7, np.nan)},
        {"spread": np.array([1.0, 1.0, 0.0, 1.0, 1.0, 1.0, 1.0])},
        {"gain_deviation": -1.0},
    ],
)
def test_other_values_are_refused(change: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match=r"table|share|deviation"):
        replace(guessed(), **change)
