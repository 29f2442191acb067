"""The score model of Go: its win rates by score, by strengths and by what is still open."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from engine.games.table import Board
from engine.opponents.outcome_model import KINDS, kind_of
from engine.opponents.outcome_tables import GameEnd, PlayedTurn
from engine.opponents.score_model import PHASES, ScoreModel, free_points, guessed, open_points
from engine.opponents.transfer import win_model_of
from engine.opponents.win_model import WinModel
from engine.strength import rating_ladder
from engine.values import Standing
from tests.support.stand_in import description_of

STRENGTHS = np.array([0.0, 800.0, 1600.0, 2400.0])
GRID = np.arange(-1500.0, 3800.0, 20.0)
START = Standing(0.0, 0.5, 0.0, deviation=12.0, open_points=70.0)
MIDDLE = Standing(0.5, 0.5, 8.0, deviation=8.0, open_points=40.0)
SETTLED = Standing(0.99, 0.97, 0.5, deviation=0.2, open_points=0.8)


def model(**changes: Any) -> ScoreModel:
    values = guessed(-1000.0, 3200.0).to_json() | changes
    return ScoreModel.from_json(values)


def test_at_an_even_start_the_win_rate_is_elos() -> None:
    found = model().win_rates(1200.0, np.array([800.0, 1200.0, 1600.0]), START)
    assert found == pytest.approx([10 / 11, 0.5, 1 / 11])


def test_a_decided_game_is_certain_whatever_the_strengths() -> None:
    won = model().win_rates(400.0, STRENGTHS, Standing(1.0, 0.99, 9.5, 0.5, 0.5, 0.2, 0.05))
    assert (won > 0.99).all()
    lost = model().win_rates(2400.0, STRENGTHS, Standing(1.0, 0.01, -9.5, 0.5, 0.5, 0.2, 0.05))
    assert (lost < 0.01).all()


def test_between_weak_players_a_settled_lead_is_certain_on_a_full_board_alone() -> None:
    random, strong = np.array([0.0]), np.array([2400.0])
    standings = [Standing(1.0, 0.99, 9.5, free_points=empty) for empty in (60, 10, 0)]
    crowded, late, full = (model().steered_win_rates(random, each)[0] for each in standings)
    assert crowded < 0.7 < late < 0.95 < full
    assert min(model().steered_win_rates(strong, each)[0] for each in standings) > 0.999


def test_tables_without_a_variance_of_free_points_have_none() -> None:
    values = model().to_json()
    del values["free_spread"]
    assert not ScoreModel.from_json(values).free_spread.any()


def test_a_lead_is_worth_more_between_strong_players_and_later() -> None:
    even = model().steered_win_rates(STRENGTHS, MIDDLE)
    assert (np.diff(even) > 0).all()
    later = model().steered_win_rates(STRENGTHS, Standing(0.9, 0.5, 8.0, 0.5, 0.5, 2.0, 8.0))
    assert (later > even).all()


def test_the_deviation_of_the_search_makes_a_lead_doubtful() -> None:
    sure, doubtful = (
        model().steered_win_rates(STRENGTHS, Standing(0.5, 0.5, 8.0, 0.5, 0.5, deviation, 20.0))
        for deviation in (2.0, 20.0)
    )
    assert (sure > doubtful).all()


def test_late_in_a_game_the_levels_decide_the_evenness_of_moves() -> None:
    early, late = (Standing(phase, 0.5, 3.0, 0.5, 0.5, 6.0, 20.0) for phase in (0.0, 1.0))
    found = replace(model(), apart=np.ones(len(PHASES)))
    equal = np.array([1600.0])
    level = float(found.balanced_strengths(equal)[0]) - 200.0
    first, last = (found.steered_win_rates(equal, each, level_elo=level) for each in (early, late))
    alike = np.array([(level + float(found.balanced_strengths(equal)[0])) / 2])
    assert first == pytest.approx(found.steered_win_rates(alike, early))
    assert last == pytest.approx(found.win_rates(level, found.balanced_strengths(equal), late))
    assert last[0] < first[0] - 0.05


def test_without_closeness_only_the_strengths_count() -> None:
    ahead = model().win_rates(1200.0, STRENGTHS, MIDDLE, closeness=0.0)
    level = Standing(0.5, 0.5, 0.0, 0.5, 0.5, 8.0, 40.0)
    assert ahead == pytest.approx(model().win_rates(1200.0, STRENGTHS, level))


def test_a_game_counts_by_the_start_levels_and_what_their_turns_settled() -> None:
    found = model()
    turns = [
        PlayedTurn(900.0, GRID, START),
        PlayedTurn(2500.0, GRID, SETTLED),
        PlayedTurn(2500.0, GRID, SETTLED),
    ]
    level = (900.0 * 69.2 + 2500.0 * 0.8) / 70.0
    for end in (GameEnd(0.0, -0.5), GameEnd(1.0, 20.0), GameEnd(0.0)):
        likelihood = found.result_log_likelihood(turns, end)
        alone = found.result_log_likelihood([PlayedTurn(level, GRID, START)], end)
        assert likelihood == pytest.approx(alone, abs=1e-6)
    assert (np.diff(found.result_log_likelihood(turns, GameEnd(0.0))) >= 0).all()


def test_balancing_leaves_the_lead_and_a_share_of_the_effect_of_levels() -> None:
    found = model()
    equal = np.array([1200.0])
    met = found.balanced_strengths(equal)
    level = float(met[0])
    balanced = found.balanced_win_rates(level, equal, MIDDLE)
    assert balanced == pytest.approx(found.win_rates(level, met, MIDDLE))
    planned = found.planned_win_rates(level, equal, MIDDLE)
    assert 0.5 < planned[0] < balanced[0] - 0.04
    for rates in (found.balanced_win_rates, found.planned_win_rates):
        stronger = float(rates(level, equal + 400, START)[0])
        away = float(found.balanced_strengths(equal + 400)[0]) - level
        odds = -found.margins.share * math.log(10) * away / 400
        assert math.log(stronger / (1 - stronger)) == pytest.approx(odds)


def test_without_closeness_a_level_plays_as_in_any_other_game() -> None:
    found = model()
    for rates in (found.balanced_win_rates, found.planned_win_rates):
        alone = rates(1200.0, STRENGTHS, MIDDLE, closeness=0.0)
        assert alone == pytest.approx(found.win_rates(1200.0, STRENGTHS, MIDDLE, closeness=0.0))


def test_a_great_margin_tells_more_than_a_result_and_a_half_point_less() -> None:
    turns = [PlayedTurn(1200.0, GRID, START)]
    narrow, unknown, great = (
        model().result_log_likelihood(turns, GameEnd(0.0, margin)) for margin in (-0.5, None, -40.0)
    )
    rises = [each[np.searchsorted(GRID, 2000.0)] - each[0] for each in (narrow, unknown, great)]
    assert rises[0] < rises[1] < rises[2]


def test_a_lead_at_the_start_explains_a_margin() -> None:
    ahead = replace(START, lead=30.0)
    even, given = (
        model().result_log_likelihood([PlayedTurn(1200.0, GRID, first)], GameEnd(1.0, 20.0))
        for first in (START, ahead)
    )
    assert GRID[given.argmax()] > GRID[even.argmax()] + 100


def test_tables_without_margins_have_the_guessed_ones() -> None:
    written = model().to_json()
    del written["margins"]
    assert ScoreModel.from_json(written).to_json() == model().to_json()


def test_open_points_are_those_without_an_owner() -> None:
    assert open_points(np.array([1.0, -1.0, 0.0, 0.5, -0.5], np.float32)) == pytest.approx(2.0)


def test_free_points_are_empty_ones_that_are_no_eye() -> None:
    board = [
        "X.XO.",  # two eyes
        ".XXOO",  # an eye
        "XX.O.",  # a point between two colors; then the first of four points side by side
        "OOO..",
        "..O.O",  # two points side by side; then the last of the four
    ]
    stones = np.array([[".XO".index(point) for point in row] for row in board], np.uint8)
    assert free_points(stones) == 7


def test_it_is_the_same_when_written_and_read_again() -> None:
    written = model().to_json()
    assert ScoreModel.from_json(written).to_json() == written


@pytest.mark.parametrize(
    "change",
    [
        {"kind": "win"},
        {"phases": [0.0, 1.0]},
        {"apart": [0.5, 0.5, 0.5, 0.5, 0.5]},
        {"apart": [1.0, -0.5, 0.5, 0.5, 0.5]},
        {"spread": [1.0, 1.0, 1.0, 1.0, 0.0]},
        {"spread": [1.0]},
        {"free_spread": [1.0, 1.0, 1.0, 1.0, -1.0]},
        {"free_spread": [1.0]},
        {"certain": 0.0},
        {"search": "much"},
        {"search": float("nan")},
        {"leaning": None},
        {"margins": {"classes": []}},
        {"margins": {"classes": [0.0], "share": 1.0, "gain": [0.0], "spread": [1.0]}},
        {"highest_elo": -2000.0},
    ],
)
def test_other_values_are_refused(change: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match=r"score model|table|Elo|variance|level"):
        model(**change)


def test_go_has_a_score_model_and_the_other_games_a_win_model() -> None:
    ladder = rating_ladder.guessed(Board("go", 13, 13), description_of("go"))
    assert isinstance(win_model_of(ladder), ScoreModel)
    assert (
        kind_of("othello").guessed(-1.0, 1.0).to_json()
        == WinModel.from_json(kind_of("othello").guessed(-1.0, 1.0).to_json()).to_json()
    )
    assert {name for name, kind in KINDS.items() if kind.read == ScoreModel.from_json} == {"go"}
