"""Ranks by the moves: likelihoods of all ranks, sets of games, intervals as wide as they say."""

from __future__ import annotations

import numpy as np
import pytest
import torch

from engine.networks.torch_model import Outputs
from engine.training.go.rank_estimate import (
    EVERY_MOVE,
    INTERVAL,
    RANKS,
    PlayerGames,
    chosen_seats,
    estimates,
    fitted_exponent,
    joined_games,
    likelihoods,
    player_games,
    posteriors,
)
from engine.training.go.ranked_validation import moves_of
from engine.training.go.records import table_of
from tests.support.training.ranked_records import STONES, ranked_game


def players(games: int, *, noise: float, claimed: float) -> PlayerGames:
    """Players whose likelihoods peak near their rank, off by `noise`, with a width of `claimed`."""
    rng = np.random.default_rng(1)
    ranks = rng.uniform(8, 22, games)
    peaks = ranks + rng.normal(0, noise, games)
    logs = -0.5 * ((RANKS - peaks[:, None]) / claimed) ** 2
    return PlayerGames(logs, ranks, np.arange(games))


def test_the_exponent_makes_intervals_hold_what_they_say() -> None:
    """Likelihoods that claim half the true error must count a quarter."""
    learned = players(4000, noise=2.0, claimed=1.0)
    assert estimates(learned, 1.0).coverage < 0.6
    exponent = fitted_exponent(learned)
    assert exponent == pytest.approx(0.25, abs=0.03)
    after = estimates(learned, exponent)
    assert after.coverage == pytest.approx(INTERVAL, abs=0.005)
    assert after.error == pytest.approx(2.0 * np.sqrt(2 / np.pi), rel=0.05)
    assert after.width == pytest.approx(2 * 1.2816 * 2.0, rel=0.05)


def test_an_exponent_of_0_leaves_every_rank_as_likely() -> None:
    logs = players(3, noise=1.0, claimed=1.0).logs
    assert posteriors(logs, 0.0) == pytest.approx(np.full((3, len(RANKS)), 1 / len(RANKS)))
    assert posteriors(logs - 1e6, 1.0) == pytest.approx(posteriors(logs, 1.0))


def test_games_of_one_player_are_joined_before_those_of_near_ranks() -> None:
    logs = np.eye(4, len(RANKS))
    games = PlayerGames(logs, np.array([10.0, 20.0, 11.0, 13.0]), np.array([1, 1, 2, 3]))
    pairs = joined_games(games, 2)
    assert pairs.ranks.tolist() == [15.0, 15.0, 10.5, 12.0]
    assert pairs.logs[2].tolist() == (logs[2] + logs[0]).tolist()
    assert np.array_equal(joined_games(games, 1).logs, logs)


def test_a_players_likelihood_is_asked_for_every_rank_against_the_same_opponent() -> None:
    asked: list[list[float]] = []

    def answers(
        planes: torch.Tensor, _globals: torch.Tensor, ranks: torch.Tensor | None = None
    ) -> Outputs:
        assert ranks is not None
        asked.extend(ranks.tolist())
        logits = torch.zeros(len(planes), 1, 362)
        logits[:, 0, 361] = ranks[:, 0]  # weaker players pass more
        return Outputs(logits, torch.empty(0), torch.empty(0), torch.empty(0))

    table = table_of([ranked_game(1, (20, 4))])
    of = moves_of(table, np.array([(0, 0)]), EVERY_MOVE, np.random.default_rng(1))
    logs = likelihoods(answers, of)
    assert asked == [[rank, 4.0] for rank in RANKS for _ in range(STONES)]
    legal = of.moves.rows.legal[:, :-1].sum(dim=1).double().numpy()
    for log, rank in zip(logs, RANKS, strict=True):
        assert log == pytest.approx(-np.log(legal + np.exp(rank)).sum(), rel=1e-5)


def test_players_of_all_ranks_are_chosen() -> None:
    ranks = [(rank, rank) for rank in range(1, 31)]
    table = table_of(ranked_game(seed, rank) for seed, rank in enumerate(ranks * 3))
    everything = np.ones(len(table), bool)
    seats = chosen_seats(table, everything, 2, np.random.default_rng(1))
    assert len(seats) == 2 * len(RANKS)
    of = table.ranks[seats[:, 0], seats[:, 1]]
    assert (of >= 24).sum() == 12  # 20k and weaker to 15k
    assert (of <= 3).sum() == 6

    def answers(
        planes: torch.Tensor, _globals: torch.Tensor, _ranks: torch.Tensor | None = None
    ) -> Outputs:
        nothing = torch.empty(0)
        return Outputs(torch.zeros(len(planes), 1, 362), nothing, nothing, nothing)

    chosen = player_games(answers, table, seats[:9], np.random.default_rng(1))
    assert chosen.logs.shape == (9, len(RANKS))
    assert chosen.ranks.max() <= RANKS[-1]
    assert chosen.players.tolist() == [7] * 9
