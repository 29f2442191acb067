from __future__ import annotations

import numpy as np
import pytest

from engine.strength.outcome import Outcome, Standing, guessed
from engine.training.outcome import Seen, fit_outcome

LOWEST, HIGHEST = -200.0, 1600.0


def truth() -> Outcome:
    start = guessed(LOWEST, HIGHEST)
    return Outcome(
        lowest_elo=LOWEST,
        highest_elo=HIGHEST,
        apart=np.array([1.0, 0.9, 0.5, 0.3, 0.1]),
        lead=np.array([0.0, 0.02, 0.06, 0.08, 0.1]),
        rate=start.rate * 0.5,
    )


def simulated(number: int) -> list[Seen]:
    rng = np.random.default_rng(number)
    seen = []
    for _ in range(number):
        level, strength = rng.uniform(LOWEST, HIGHEST, 2)
        standing = Standing(rng.uniform(0, 1), rng.uniform(0.02, 0.98), rng.normal(0, 8))
        chance = truth().chances(level, np.array([strength]), standing)[0]
        seen.append(Seen(level, strength, standing, float(rng.random() < chance)))
    return seen


def test_the_tables_that_decided_the_games_are_found_again() -> None:
    found = fit_outcome(simulated(4000), LOWEST, HIGHEST, weight=1.0)
    rng = np.random.default_rng(0)
    apart, guess = [], []
    for _ in range(100):
        level, strength = rng.uniform(LOWEST, HIGHEST, 2)
        standing = Standing(rng.uniform(0, 1), rng.uniform(0.05, 0.95), rng.normal(0, 8))
        told, guess_told, true = (
            table.chances(level, np.array([strength]), standing)[0]
            for table in (found, guessed(LOWEST, HIGHEST), truth())
        )
        apart.append(abs(told - true))
        guess.append(abs(guess_told - true))
    assert np.mean(apart) < 0.03
    assert np.mean(guess) > 0.1


def test_a_fit_stays_elos_at_the_start() -> None:
    found = fit_outcome(simulated(300), LOWEST, HIGHEST)
    elo = 1 / (1 + 10 ** (-(900 - 400) / 400))
    start = Standing(0.0, 0.9, 30.0)
    assert found.chances(900, np.array([400.0]), start) == pytest.approx([elo])


def test_few_games_leave_the_guess_as_it_is() -> None:
    found = fit_outcome(simulated(1), LOWEST, HIGHEST)
    assert found.apart == pytest.approx(guessed(LOWEST, HIGHEST).apart, abs=0.05)
    with pytest.raises(ValueError, match="none"):
        fit_outcome([], LOWEST, HIGHEST)
