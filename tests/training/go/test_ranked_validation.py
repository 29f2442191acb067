"""Validation by ranks: held-out moves alone, of the right players, and gains with their errors."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
import torch

from engine.networks.torch_model import Outputs
from engine.training.common.policy_metrics import LOG_PROBABILITY, TOP1, VALUE_LOSS
from engine.training.go.ranked_games import RankGroup, held_out
from engine.training.go.ranked_validation import (
    group_metrics,
    held_out_moves,
    moves_of,
    predictions,
    seat_ranks,
)
from engine.training.go.records import UNKNOWN, GameTable, table_of
from tests.support.training.ranked_records import STONES, ranked_game

WEAK = RankGroup("weak", 19, 23, 1.0)


def table_with(ranks: tuple[float, float], games: int) -> GameTable:
    return table_of(ranked_game(seed, ranks) for seed in range(games))


def test_the_moves_are_of_held_out_players_of_the_group() -> None:
    table = table_with((20, 4), 100)
    left_out = int(held_out(table).sum())
    moves = held_out_moves(table, WEAK, most=100_000)
    assert moves is not None
    assert len(moves) == STONES * left_out
    assert (moves.moves.moves % 19 < 10).all()  # Black's half
    assert moves.ranks.tolist() == [[20, 4]] * len(moves)
    assert np.bincount(moves.games).tolist() == [STONES] * left_out
    some = held_out_moves(table, WEAK, most=24)
    assert some is not None
    assert len(np.unique(some.games)) == 3
    assert held_out_moves(table, RankGroup("none", 30, 33, 1.0), most=24) is None


def test_ranks_end_with_the_networks_inputs_and_unknown_opponents_are_equals() -> None:
    table = table_of([ranked_game(1, (39, 2)), ranked_game(2, (UNKNOWN, 7))])
    assert seat_ranks(table, 0, 0) == (34, 2)
    assert seat_ranks(table, 0, 1) == (2, 34)
    assert seat_ranks(table, 1, 1) == (7, 7)


def test_a_network_is_asked_with_the_ranks_of_each_move() -> None:
    """A weak player's move is certain to this network, a strong one's has one chance in four."""

    def answers(
        planes: torch.Tensor, _globals: torch.Tensor, ranks: torch.Tensor | None = None
    ) -> Outputs:
        assert ranks is not None
        logits = torch.full((len(planes), 1, 362), -50.0)
        targets = played[len(asked) : len(asked) + len(planes)]
        asked.extend(ranks[:, 0].tolist())
        logits[torch.arange(len(planes)), 0, targets] = 0
        others = (targets[:, None] + torch.tensor([1, 2, 3])) % 361
        strong = ranks[:, :1] < 10
        logits[:, 0].scatter_(1, others, torch.where(strong, 0.0, -50.0).expand(-1, 3))
        value = torch.tensor([(1.0, 0.0, 0.0)] * len(planes))
        return Outputs(logits, value, torch.empty(0), torch.empty(0))

    table = table_of([ranked_game(0, (20, 4), winner=0)])
    asked: list[float] = []
    both = moves_of(table, np.array([(0, 0), (0, 1)]), 2, np.random.default_rng(1))
    played = both.moves.moves
    every = both.moves.rows._replace(legal=torch.ones_like(both.moves.rows.legal))
    both = replace(both, moves=replace(both.moves, rows=every))
    found = predictions(answers, both)
    assert asked == [20, 4]
    assert found[TOP1].tolist() == pytest.approx([1, 0.25])
    assert np.exp(found[LOG_PROBABILITY]).tolist() == pytest.approx([1, 0.25])
    likely = 1 / (1 + np.exp(-1))  # that the player wins: Black does
    assert np.exp(-found[VALUE_LOSS]).tolist() == pytest.approx([likely, 1 - likely])


def test_a_gain_is_by_the_move_and_its_error_by_the_game() -> None:
    rng = np.random.default_rng(1)
    games = np.arange(4000) // 10
    alike = rng.normal(size=400)[games]  # all moves of a game are alike
    value = np.where(games == 0, np.nan, 0.25)
    logs = np.full(4000, np.log(0.1))
    other = {TOP1: np.zeros(4000), LOG_PROBABILITY: logs, VALUE_LOSS: value * np.nan}
    own = {TOP1: np.ones(4000), LOG_PROBABILITY: logs + 0.5 + alike, VALUE_LOSS: value}
    metrics = group_metrics(own, other, games)
    assert (metrics.top1, metrics.value_loss) == (1, 0.25)
    assert metrics.gain == pytest.approx(0.5 + alike.mean())
    assert metrics.probability == pytest.approx(0.1 * np.exp(metrics.gain))
    assert metrics.gain_error == pytest.approx(1 / np.sqrt(400), rel=0.1)
    same = group_metrics(other, other, games)
    assert (same.gain, same.gain_error) == (0, 0)
    assert np.isnan(same.value_loss)
