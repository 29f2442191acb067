from __future__ import annotations

import json

import numpy as np
import pytest

from engine.opponents.outcome_model import kind_of
from engine.opponents.outcome_tables import GameEnd, PlayedTurn
from engine.opponents.win_model import WinModel, guessed
from engine.values import Standing

STRENGTHS = np.array([0.0, 500.0, 900.0, 1300.0])
AT_THE_START = Standing(phase=0.0, win_rate=0.8, lead=12.0)


def table() -> WinModel:
    return guessed(-200, 1600)


@pytest.mark.parametrize("level", [0.0, 700.0, 1600.0])
def test_at_the_start_the_chance_is_elos_however_the_position_looks(level: float) -> None:
    elo = 1 / (1 + 10 ** ((STRENGTHS - level) / 400))
    assert table().win_rates(level, STRENGTHS, AT_THE_START) == pytest.approx(elo)


def test_between_strong_equals_at_the_end_the_chance_is_the_win_rate() -> None:
    late = Standing(phase=1.0, win_rate=0.8, lead=3.0)
    chance = table().win_rates(1600, np.array([1600.0]), late)
    assert chance == pytest.approx([0.8])


def test_between_weak_players_a_won_position_is_not_yet_won() -> None:
    middle = Standing(phase=0.5, win_rate=0.95, lead=0.0)
    weak = table().win_rates(0, np.array([0.0]), middle)[0]
    strong = table().win_rates(1600, np.array([1600.0]), middle)[0]
    assert 0.5 < weak < strong - 0.15


def test_a_higher_level_a_better_position_and_a_weaker_opponent_all_win_more() -> None:
    levels = [
        table().win_rates(level, STRENGTHS, Standing(0.6, 0.5, 0.0)) for level in (0, 800, 1600)
    ]
    assert (np.diff(levels, axis=0) > 0).all()
    rates = [
        table().win_rates(800, STRENGTHS, Standing(0.6, rate, 0.0)) for rate in (0.1, 0.5, 0.9)
    ]
    assert (np.diff(rates, axis=0) > 0).all()
    assert (np.diff(levels[1]) < 0).all()


def test_weak_rollouts_decide_between_weak_players() -> None:
    well, badly = (Standing(0.4, 0.5, 0.0, careless=share) for share in (0.9, 0.1))
    for level, least in ((0.0, 0.5), (1600.0, 0.0)):
        apart = [table().win_rates(level, np.array([level]), each)[0] for each in (well, badly)]
        assert least <= apart[0] - apart[1] < least + 0.4


def test_without_closeness_only_the_levels_count() -> None:
    won = table().win_rates(800, STRENGTHS, Standing(0.6, 0.99, 20.0), closeness=0)
    lost = table().win_rates(800, STRENGTHS, Standing(0.6, 0.01, -20.0), closeness=0)
    assert won == pytest.approx(lost)


@pytest.mark.parametrize("model", [table(), guessed(-200, 1600, by_level=0.8)])
def test_on_paper_and_back(model: WinModel) -> None:
    written = json.loads(json.dumps(model.to_json()))
    assert WinModel.from_json(written).to_json() == written


def test_where_the_level_carries_the_evenness_a_result_tells_the_strength() -> None:
    """A lost game tells that much whatever its standings, by Elo less balancing."""
    model = guessed(-200, 1600, by_level=0.8)
    turns = [
        PlayedTurn(level, STRENGTHS, Standing(phase, rate, 0.0))
        for level, phase, rate in ((800.0, 0.0, 0.5), (600.0, 0.5, 0.3), (700.0, 0.9, 0.01))
    ]
    lost, won, drawn = (
        model.result_log_likelihood(turns, GameEnd(points)) for points in (0, 1, 0.5)
    )
    assert np.exp(lost) + np.exp(won) == pytest.approx(1)
    assert won - lost == pytest.approx(0.8 * (700 - STRENGTHS) * np.log(10) / 400)
    assert drawn == pytest.approx((won + lost) / 2)
    by_standings = table().result_log_likelihood(turns, GameEnd(0))
    assert np.ptp(by_standings) < 0.2 * np.ptp(lost)


@pytest.mark.parametrize(
    ("game", "is_told"), [("chess", True), ("darkchess", True), ("othello", False)]
)
def test_the_games_whose_results_count_by_the_level(game: str, is_told: bool) -> None:
    """A game lost from even standings tells that the opponent is strong, where the level counts."""
    model = kind_of(game).guessed(-200, 1600)
    even = [PlayedTurn(700.0, STRENGTHS, Standing(phase, 0.5, 0.0)) for phase in (0.0, 0.5, 0.9)]
    lost = model.result_log_likelihood(even, GameEnd(0))
    assert (np.diff(lost) > 0.1).all() == is_told


@pytest.mark.parametrize(
    "change",
    [
        {"apart": [0.9, 0.95, 0.8, 0.55, 0.25]},
        {"apart": [1.0, 0.95, 0.8, -0.55, 0.25]},
        {"lead": [0.1, 0, 0, 0, 0]},
        {"lead": [0, -0.1, 0, 0, 0]},
        {"rate": [[[0.1] * 5] * 5] * 3},
        {"rate": [[[0.0] * 4] * 5] * 3},
        {"rate": [[[0.0] * 5, *[[-0.1] * 5] * 4]] * 3},
        {"steering": [[0.1] * 5] * 5},
        {"readings": ["search"]},
        {"phases": [0, 1]},
        {"highest_elo": -200},
        {"lowest_elo": None},
        {"by_level": -0.1},
        {"by_level": 1.1},
    ],
)
def test_anything_but_a_table_is_an_error(change: dict[str, object]) -> None:
    with pytest.raises(ValueError, match="not a win model"):
        WinModel.from_json(table().to_json() | change)
