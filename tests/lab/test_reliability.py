"""The reliability of stated chances: scores by hand, and games predicted by others alone."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest

from engine.lab.reliability import FOLDS, MOMENTS, reliabilities, reliability, stated_chances
from engine.opponents.score_model import ScoreModel, guessed
from engine.training.opponents.balanced_games import BalancedGame
from engine.training.opponents.win_model import BalanceSample
from engine.values import Standing

MODEL = guessed(-1000.0, 3000.0)
LEVEL = float(MODEL.balanced_strengths(np.array([1500.0]))[0])  # even against 1500 Elo


def game(points: float, *leads: float) -> BalancedGame:
    """A game with these leads at our turns, ever fewer points open."""
    last = len(leads) - 1
    turns = tuple(
        (LEVEL, 1500.0, Standing(at / last, 0.5, lead, 0.5, 0.5, 1.0, 20.0 * (1 - at / last)))
        for at, lead in enumerate(leads)
    )
    return BalancedGame("level:1000", 1000.0, turns, points)


def test_the_scores_of_three_games_by_hand() -> None:
    found = reliability("then", np.array([0.8, 0.85, 0.1]), np.array([1.0, 0.0, 0.0]))
    assert found.brier == pytest.approx((0.04 + 0.7225 + 0.01) / 3)
    assert found.log_loss == pytest.approx(-(np.log(0.8) + np.log(0.15) + np.log(0.9)) / 3)
    assert found.constant_brier == pytest.approx(2 / 9)
    assert [each.stated for each in found.tenths] == pytest.approx([0.1, 0.825])
    assert [(each.won, each.games) for each in found.tenths] == [(0.0, 1), (0.5, 2)]
    assert list(found.cells())[-1] == "0.82 stated, 0.50 won in 2"


def test_a_chance_is_stated_at_each_moment_of_a_game() -> None:
    chances = stated_chances(game(1.0, 0.0, 0.0, 4.0, 9.0, 9.5), MODEL)
    assert len(chances) == len(MOMENTS)
    assert chances[0] == pytest.approx(0.5)
    assert chances[-1] > 0.99
    assert sorted(chances) == chances


def test_no_game_is_predicted_by_tables_fitted_to_itself() -> None:
    games = [game(float(at % 2), 0.0, float(at)) for at in range(2 * FOLDS)]
    fitted: list[set[float]] = []

    def fit(samples: Sequence[BalanceSample]) -> ScoreModel:
        fitted.append({sample.standing.lead for sample in samples})
        return MODEL

    found = reliabilities(games, [], fit)
    assert [each.games for each in found] == [len(games)] * len(MOMENTS)
    for fold, leads in enumerate(fitted):
        assert leads == {0.0, *(float(at) for at in range(len(games)) if at % FOLDS != fold)}
