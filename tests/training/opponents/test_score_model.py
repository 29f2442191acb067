"""The fit of Go's score model: it finds the tables that games were drawn from."""

from __future__ import annotations

import numpy as np
import pytest

from engine.opponents.score_model import ScoreModel, guessed
from engine.training.opponents.score_model import fit_score_model
from engine.training.opponents.win_model import BalanceSample
from engine.values import Standing

LOWEST, HIGHEST = -800.0, 3000.0


def truth() -> ScoreModel:
    changes = {
        "apart": [1.0, 1.0, 0.7, 0.4, 0.2],
        "spread": [20.0, 12.0, 6.0, 2.0, 0.8],
        "free_spread": [8.0, 1.0, 0.1, 0.01, 0.01],
        "search": 0.8,
        "certain": 0.3,
    }
    return ScoreModel.from_json(guessed(LOWEST, HIGHEST).to_json() | changes)


def simulated(count: int, *, steered: bool = False) -> list[BalanceSample]:
    """Positions of games under `truth`, kept even if they are steered."""
    rng, model = np.random.default_rng(5), truth()
    samples = []
    for _ in range(count):
        level = float(rng.uniform(0, HIGHEST))
        strength = float(np.clip(level + rng.normal(0, 300), 0, HIGHEST))
        phase = float(1 - rng.uniform() ** 3)
        standing = Standing(
            phase,
            0.5,
            float(rng.normal(0, 11 - 10 * phase)),
            deviation=float(12 * (1 - phase) + 0.3),
            open_points=81 * (1 - phase),
            free_points=int(rng.integers(10, 81)),
        )
        rates = model.balanced_win_rates if steered else model.win_rates
        points = float(rng.random() < rates(level, np.array([strength]), standing)[0])
        samples.append(BalanceSample(level, strength, standing, points, steered=steered))
    return samples


def test_the_tables_of_many_games_are_those_of_the_truth() -> None:
    games = simulated(10000) + simulated(10000, steered=True)
    found, expected = fit_score_model(games, LOWEST, HIGHEST, weight=1.0), truth()
    assert found.apart == pytest.approx(expected.apart, abs=0.25)
    for level, strength in ((400.0, 700.0), (1500.0, 1500.0), (2800.0, 2400.0)):
        for phase, lead, empty in ((0.1, 10.0, 70), (0.5, -6.0, 60), (0.9, 3.0, 40), (1.0, 0.5, 9)):
            at = Standing(
                phase,
                0.5,
                lead,
                deviation=12 * (1 - phase) + 0.3,
                open_points=81 * (1 - phase),
                free_points=empty,
            )
            rates = [m.win_rates(level, np.array([strength]), at)[0] for m in (found, expected)]
            assert rates[0] == pytest.approx(rates[1], abs=0.06)


def test_few_games_leave_the_guess_nearly_as_it_is() -> None:
    found = fit_score_model(simulated(5), LOWEST, HIGHEST)
    assert found.spread == pytest.approx(guessed(LOWEST, HIGHEST).spread, rel=0.3)


def test_without_positions_nothing_is_fitted() -> None:
    with pytest.raises(ValueError, match="none"):
        fit_score_model([], LOWEST, HIGHEST)
