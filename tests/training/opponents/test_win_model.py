from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from engine.opponents.win_model import WinModel, guessed
from engine.training.opponents.win_model import MOST_LEANING, BalanceSample, fit_win_model, leaned
from engine.values import Standing

LOWEST, HIGHEST = -200.0, 1600.0


def truth() -> WinModel:
    start = guessed(LOWEST, HIGHEST)
    return WinModel(
        lowest_elo=LOWEST,
        highest_elo=HIGHEST,
        apart=np.array([1.0, 0.9, 0.5, 0.3, 0.1]),
        lead=np.array([0.0, 0.02, 0.06, 0.08, 0.1]),
        rate=start.rate * 0.5,
        steering=np.outer([0.0, -1.0, -1.0, -0.5, 0.0], np.ones(start.steering.shape[1])),
        leaning=start.leaning,
    )


def drawn(rng: np.random.Generator) -> Standing:
    phase, *shares = rng.uniform(0.02, 0.98, 4)
    return Standing(phase, shares[0], rng.normal(0, 8), *shares[1:])


def chance_of(
    table: WinModel, level: float, strength: float, standing: Standing, steered: bool
) -> float:
    strengths = np.array([strength])
    kept = table.steered_win_rates(strengths, standing)
    return float((kept if steered else table.win_rates(level, strengths, standing))[0])


def simulated(number: int) -> list[BalanceSample]:
    rng = np.random.default_rng(number)
    sample = []
    for _ in range(number):
        level, strength = rng.uniform(LOWEST, HIGHEST, 2)
        standing = drawn(rng)
        steered = bool(rng.integers(2))
        won = float(rng.random() < chance_of(truth(), level, strength, standing, steered))
        sample.append(BalanceSample(level, strength, standing, won, steered=steered))
    return sample


def test_the_tables_that_decided_the_games_are_found_again() -> None:
    found = fit_win_model(simulated(9000), LOWEST, HIGHEST, weight=1.0)
    rng = np.random.default_rng(0)
    apart, guess = [], []
    for _ in range(100):
        level, strength = rng.uniform(LOWEST, HIGHEST, 2)
        standing = drawn(rng)
        steered = bool(rng.integers(2))
        told, guess_told, true = (
            chance_of(table, level, strength, standing, steered)
            for table in (found, guessed(LOWEST, HIGHEST), truth())
        )
        apart.append(abs(told - true))
        guess.append(abs(guess_told - true))
    # With six seeds these are 0.024 to 0.035 and 0.117 to 0.171.
    assert np.mean(apart) < 0.05
    assert np.mean(guess) > 0.08


def test_only_who_keeps_games_even_loses_by_it() -> None:
    played = [replace(sample, steered=False) for sample in simulated(1000)]
    assert fit_win_model(played, LOWEST, HIGHEST).steering == pytest.approx(0)
    # With 21 seeds this is -0.39 +- 0.06, at most -0.27.
    assert fit_win_model(simulated(1000), LOWEST, HIGHEST, weight=1.0).steering[1:4].mean() < -0.15


def test_a_better_position_never_wins_less() -> None:
    # Whoever was ahead lost: as chance alone would have it in few games.
    lost = [replace(sample, points=float(sample.standing.lead < 0)) for sample in simulated(500)]
    found = fit_win_model(lost, LOWEST, HIGHEST, weight=5.0)
    assert found.lead == pytest.approx(0, abs=1e-9)
    assert (found.rate >= 0).all()


def test_a_fit_stays_elos_at_the_start() -> None:
    found = fit_win_model(simulated(300), LOWEST, HIGHEST)
    elo = 1 / (1 + 10 ** (-(900 - 400) / 400))
    start = Standing(0.0, 0.9, 30.0)
    assert found.win_rates(900, np.array([400.0]), start) == pytest.approx([elo])


def test_few_games_leave_the_guess_as_it_is() -> None:
    found = fit_win_model(simulated(1), LOWEST, HIGHEST)
    assert found.apart == pytest.approx(guessed(LOWEST, HIGHEST).apart, abs=0.05)
    with pytest.raises(ValueError, match="none"):
        fit_win_model([], LOWEST, HIGHEST)


def test_who_loses_leans_the_other_way_next_time() -> None:
    tables = guessed(LOWEST, HIGHEST)
    games = [
        BalanceSample(0, elo, Standing(0.9, 0.5, 0), won) for elo, won in ((0, 1.0), (HIGHEST, 0.0))
    ]
    found = leaned(tables.leaning, tables, games * 20)
    assert found[1] < -0.5
    assert found[-1] > 0.5
    assert found[[0, 2, 3]] == pytest.approx(0)
    for _ in range(50):
        found = leaned(found, tables, games * 20)
    assert np.abs(found).max() == MOST_LEANING
