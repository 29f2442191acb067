"""The bundled network of human moves on the database's last games, outside its training."""

from __future__ import annotations

import pytest

from engine.formats import wthor
from engine.networks.bundled import WEIGHTS
from engine.training.imitation.othello_games import play_games
from engine.training.imitation.validation import (
    linear_evaluation,
    predictor_of,
    validate,
    validation_rows,
)
from tests.conftest import SHARED_DATA

LAST = SHARED_DATA / "wthor" / "WTH_2020.wtb"


def test_it_predicts_human_moves_far_better_than_who_plays_to_win() -> None:
    if not LAST.exists():
        pytest.skip("needs the WTHOR database in ../shared/data/wthor")
    games = play_games(list(wthor.read(LAST.read_bytes()).games))
    rows = validation_rows(games, at_most=1500)
    human = validate(predictor_of(str(WEIGHTS / "othello8-human.safetensors")), games, rows)
    to_win = validate(linear_evaluation(), games, rows)
    # 55.2% and 39.2% of all held-out moves; four standard errors of 1500.
    assert human.total["top1"] > 0.49
    assert human.total["probability"] > 0.26
    assert human.total["top1"] > to_win.total["top1"] + 0.08
    assert human.total["value_loss"] < 0.6
