"""Batches of games with ranks: whose moves they have, how often, and the games left out."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
import torch

from engine.errors import SettingError
from engine.training.go.ranked_games import (
    HELD_OUT,
    RANK_GROUPS,
    SPREAD,
    RankedGames,
    held_out,
    seats_of,
)
from engine.training.go.records import (
    MOVE_BITS,
    UNKNOWN,
    GameTable,
    table_of,
)
from engine.training.go.samples import NOBODY, GoSamples
from tests.support.training.ranked_records import ranked_game

CPU = torch.device("cpu")


def batch(table: GameTable, rows: int = 240, seed: int = 1) -> GoSamples:
    return RankedGames(table, 1.0, rows, CPU).draw(0, np.random.default_rng(seed))


def learned_seeds(count: int) -> list[int]:
    """Seeds of games that are not held out."""
    table = table_of(ranked_game(seed, (1, 1)) for seed in range(3 * count))
    return np.flatnonzero(~held_out(table))[:count].tolist()


def test_a_tenth_of_the_games_is_held_out_by_their_moves_alone() -> None:
    games = [ranked_game(seed, (1, 1)) for seed in range(600)]
    chosen = held_out(table_of(games))
    assert 0.06 < chosen.mean() < 0.14
    other = [one._replace(ranks=(20, 4), players=(1, 2)) for one in games]
    assert np.array_equal(held_out(table_of(other[::-1])), chosen[::-1])


def test_no_held_out_game_is_drawn() -> None:
    table = table_of(ranked_game(seed, (9, 9)) for seed in range(20 * HELD_OUT))
    left_out = held_out(table)
    table.ranks[left_out] = (30, 30)  # a mark
    assert batch(table).ranks.max() <= 9 + SPREAD
    with pytest.raises(SettingError, match="no player's rank is known"):
        RankedGames(replace(table, ranks=np.where(left_out[:, None], 30, UNKNOWN)), 1.0, 8, CPU)


def test_a_move_is_of_the_player_with_the_rank() -> None:
    """Black is weak and plays on the left alone, White on the right."""
    table = table_of(ranked_game(seed, (20, 4)) for seed in learned_seeds(20))
    samples = batch(table)
    own, other = samples.ranks.T
    weak = own > 15
    assert ((own - torch.where(weak, 20, 4)).abs() <= SPREAD).all()
    assert torch.equal(samples.human % 19 < 10, weak)
    equal = own == other
    assert 0.35 < equal.float().mean() < 0.65
    assert ((other - torch.where(weak, 4, 20)).abs() <= SPREAD)[~equal].all()
    assert (samples.human != NOBODY).all()
    assert (samples.human <= MOVE_BITS).all()


def test_an_opponent_of_unknown_rank_counts_as_an_equal() -> None:
    table = table_of(ranked_game(seed, (20, UNKNOWN)) for seed in learned_seeds(9))
    samples = batch(table, rows=60)
    assert torch.equal(samples.ranks[:, 0], samples.ranks[:, 1])


def test_results_are_the_players_own() -> None:
    seeds = learned_seeds(30)
    winners = {0: 0, 1: 1, 2: -1}
    table = table_of(ranked_game(seed, (20, 4), winners[at % 3]) for at, seed in enumerate(seeds))
    samples = batch(table, rows=600)
    won, lost, void = samples.value.T
    assert not void.any()
    assert ((won + lost == 1) | (won + lost == 0)).all()
    assert 0.2 < won.mean() < 0.47
    known = table_of(ranked_game(seed, (20, 4), 0) for seed in seeds)
    samples = batch(known)
    assert torch.equal(samples.value[:, 0] == 1, samples.ranks[:, 0] > 15)


def test_weak_players_are_drawn_by_their_groups_share() -> None:
    seeds = learned_seeds(60)
    table = table_of(
        ranked_game(seed, (20, 20) if at < 3 else (2, 2)) for at, seed in enumerate(seeds)
    )
    weak = float((batch(table, rows=1500).ranks[:, 0] > 15).float().mean())
    shares = {group.name: group.share for group in RANK_GROUPS}
    expected = shares["14k..10k"] / (shares["14k..10k"] + shares["7d..9d"])
    assert weak == pytest.approx(expected, abs=0.06)


def test_a_batch_depends_on_the_generator_alone() -> None:
    table = table_of(ranked_game(seed, (20, 4)) for seed in learned_seeds(20))
    first, again, other = (batch(table, 40, seed) for seed in (1, 1, 2))
    assert all(torch.equal(part, same) for part, same in zip(first, again, strict=True))
    assert not torch.equal(first.human, other.human)


def test_groups_cover_all_ranks_once() -> None:
    for rank in range(1, 40):
        assert sum(group.strongest <= rank <= group.weakest for group in RANK_GROUPS) == 1


def test_nameless_players_are_in_no_group_of_ranks() -> None:
    table = table_of([ranked_game(1, (1, 1)), ranked_game(2, (1, 1), name=0)])
    everything = np.ones(2, bool)
    assert seats_of(table, everything, RANK_GROUPS[-1]).tolist() == [[0, 0], [0, 1]]
