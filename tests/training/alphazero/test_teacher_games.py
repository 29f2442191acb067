"""The games of DarkKnight that a network of dark chess learns from first."""

from __future__ import annotations

from dataclasses import replace

import pytest
import torch

from engine.training.alphazero.recipes import SPARRING
from engine.training.alphazero.teacher_games import TeacherGamesTask
from engine.training.common.rows import SampleRows, joined


def task(threads: int = 1) -> TeacherGamesTask:
    recipe = SPARRING["darkchess"]
    play = {**recipe.play, "full_share": 0.5}
    return TeacherGamesTask(4, 8, "40,EPT,PB", play, seed=3, threads=threads)


def games(numbers: range, threads: int = 1) -> SampleRows:
    return task(threads)(numbers, lambda _: None)


@pytest.fixture(scope="module")
def rows() -> SampleRows:
    return games(range(6))


def test_policies_are_shares_of_the_legal_moves(rows: SampleRows) -> None:
    policy = rows.policy.float()
    assert torch.allclose(policy.sum(dim=1), torch.ones(rows.size), atol=5e-3)
    assert not policy[rows.legal == 0].any()
    assert rows.policy_weight.eq(1).all()
    assert (policy.amax(dim=1) < 1).any()


def test_results_are_those_of_one_game_for_both_sides(rows: SampleRows) -> None:
    assert set(rows.result.tolist()) <= {0.0, 0.5, 1.0}
    for number in range(6):
        game = rows.part(rows.game == number)
        first = torch.where(game.ply % 2 == 0, game.result, 1 - game.result)
        assert len(set(first.tolist())) == 1
        assert game.ply.tolist() == sorted(game.ply.tolist())


def test_about_the_full_share_of_the_moves_has_a_row(rows: SampleRows) -> None:
    last = rows.ply[rows.game[1:].ne(rows.game[:-1]).nonzero().flatten()]
    moves = int(last.sum()) + int(rows.ply[-1])
    assert 0.3 * moves < rows.size < 0.6 * moves


def test_a_game_depends_on_its_number_and_the_seed_alone(rows: SampleRows) -> None:
    apart = joined([games(range(2)), games(range(2, 6), threads=2)])
    for one, other in zip(rows, apart, strict=True):
        assert torch.equal(one, other)
    reseeded = replace(task(), seed=4)(range(1), lambda _: None)
    assert not torch.equal(reseeded.planes, rows.part(rows.game == 0).planes)


def test_each_game_is_told_of(rows: SampleRows) -> None:
    told: list[int] = []
    task()(range(3), told.append)
    assert sum(told) == 3
    assert set(rows.game.tolist()) == set(range(6))
