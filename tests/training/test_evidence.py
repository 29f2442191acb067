from __future__ import annotations

import numpy as np
import pytest

from engine.strength.evidence import FEATURES, Candidates
from engine.strength.posterior import Posterior
from engine.training.evidence import Played, fit_evidence, fit_honesty
from tests.strength.tables import drawn, evidence, some_candidates


def played(elo: float, rng: np.random.Generator, *, seems: float | None = None) -> Played:
    among = some_candidates(rng)
    return Played(elo, among, drawn(evidence(), among, elo if seems is None else seems, rng))


def test_the_table_that_made_the_moves_is_found_again() -> None:
    rng = np.random.default_rng(0)
    moves = [played(float(elo), rng) for elo in rng.uniform(0, 1500, 4000)]
    found = fit_evidence(moves)
    elos = np.array([0.0, 400.0, 800.0, 1200.0, 1500.0])
    apart = []
    for _ in range(50):
        among = some_candidates(rng)
        apart.append(np.abs(found.chances(among, elos) - evidence().chances(among, elos)).mean())
    assert np.mean(apart) < 0.02
    # Features that nobody looks at get no weight.
    unused = [FEATURES.index(name) for name in ("visits", "score_loss", "unvisited", "glance")]
    assert np.abs(found.coefficients[:, unused]).max() < 0.06


def test_positions_with_one_move_and_of_unequal_numbers_do_not_disturb_it() -> None:
    rng = np.random.default_rng(1)
    one = Candidates(np.array([4]), np.ones((1, len(FEATURES))))
    few = [
        Played(elo, among, drawn(evidence(), among, elo, rng))
        for elo in (0.0, 1500.0)
        for among in (some_candidates(rng, 3) for _ in range(300))
    ]
    moves = [*few, *(played(elo, rng) for elo in (0.0, 1500.0) for _ in range(300))]
    alone, beside = fit_evidence(moves), fit_evidence([*moves, Played(700.0, one, 4)])
    assert beside.coefficients == pytest.approx(alone.coefficients, abs=1e-6)


def test_players_of_one_strength_are_not_enough() -> None:
    rng = np.random.default_rng(2)
    with pytest.raises(ValueError, match="far apart"):
        fit_evidence([played(500.0, rng) for _ in range(20)])
    with pytest.raises(ValueError, match="far apart"):
        fit_evidence([])


def test_honesty_finds_how_far_moves_lie_about_the_strength() -> None:
    rng = np.random.default_rng(3)
    blank = Posterior.of_stranger(0, 1500)

    def players(style: float) -> list[tuple[float, list[list[Played]]]]:
        found = []
        for elo in rng.uniform(200, 1300, 24):
            seems = elo + rng.normal(0, style)
            games = [[played(elo, rng, seems=seems) for _ in range(20)] for _ in range(8)]
            found.append((float(elo), games))
        return found

    honest = fit_honesty(evidence(), players(0), blank)
    lying = fit_honesty(evidence(), players(250), blank)
    assert honest.style_deviation <= 75
    assert lying.style_deviation >= 150
    assert honest.temper >= 0.5
