"""The fit of the margin model: it finds the tables that margins were drawn from."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from engine.opponents import score_model
from engine.opponents.margin_model import (
    CLASSES,
    LOST_GROUP,
    OUR_WIN,
    SAFE,
    THEIR_WIN,
    WIDEST,
    MarginModel,
    guessed,
    sided,
)
from engine.training.opponents.margin_model import MarginSample, fit_margin_model
from engine.values import Standing

SCORES = score_model.guessed(-800.0, 3000.0)
TRUTH = MarginModel(
    share=0.6,
    gain=np.array([100.0, 300.0, 450.0, 500.0, 400.0, 200.0, 0.0]),
    spread=np.array([3.0, 2.0, 3.0, 4.0, 2.0, 1.0, 0.5]),
)


def simulated(count: int) -> list[MarginSample]:
    """Games with margins under `TRUTH`."""
    rng = np.random.default_rng(3)
    samples = []
    for _ in range(count):
        level = float(rng.uniform(0, 3000))
        strength = level + float(rng.normal(200, 500))
        first = Standing(0.1, 0.5, float(rng.normal()), deviation=13.0, open_points=67.0)
        rank = level / 3000
        met = np.array([strength]) - TRUTH.gain_at(np.array([strength / 3000]))
        odds = SCORES.log_odds(level, met, first)
        scale = np.sqrt(np.interp(rank, CLASSES, TRUTH.spread) * 67.0)
        by_play = TRUTH.share * odds[0] + rng.logistic()
        margin = float(sided(scale, by_play) * by_play)
        kind, mean = rng.random(), OUR_WIN * first.open_points if margin > 0 else THEIR_WIN
        if kind < LOST_GROUP:
            margin = float(np.sign(margin) * rng.uniform(0, WIDEST * first.open_points))
        elif kind < LOST_GROUP + SAFE:
            margin = float(np.sign(margin) * rng.exponential(mean))
        samples.append(MarginSample(level, strength, first, margin))
    return samples


def test_the_tables_of_many_games_are_those_of_the_truth() -> None:
    found = fit_margin_model(simulated(12000), SCORES)
    assert found.share == pytest.approx(TRUTH.share, rel=0.1)
    assert found.gain == pytest.approx(TRUTH.gain, abs=90)
    assert found.spread == pytest.approx(TRUTH.spread, rel=0.2)


def test_few_games_leave_the_guess_nearly_as_it_is_and_no_games_leave_it() -> None:
    assert fit_margin_model([], SCORES).to_json() == guessed().to_json()
    found = fit_margin_model(simulated(3), SCORES)
    assert found.gain_deviation == 0.0
    assert found.share == pytest.approx(guessed().share, rel=0.8)
    assert found.gain == pytest.approx(guessed().gain, abs=150)


def test_the_deviation_of_the_gain_stays() -> None:
    model = replace(SCORES, margins=replace(guessed(), gain_deviation=250.0))
    for samples in ([], simulated(3)):
        assert fit_margin_model(samples, model).gain_deviation == 250.0


def test_a_stronger_opponent_stays_stronger_whatever_the_games_say() -> None:
    first = Standing(0.1, 0.5, 0.0, deviation=13.0, open_points=67.0)
    strange = [MarginSample(1500.0, 1125.0, first, -60.0)] * 300
    strange += [MarginSample(1500.0, 1500.0, first, 60.0)] * 300
    found = fit_margin_model(strange, SCORES)
    assert (np.diff(CLASSES * 3000 - found.gain) > 50).all()
