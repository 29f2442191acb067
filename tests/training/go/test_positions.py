"""Quick games in the core: legal, varied, the same from the same seed."""

from __future__ import annotations

import numpy as np
import pytest
import torch

from engine._core import GoGameBatch
from engine.training.go.positions import BOARDS, BoardShare, QuickGoGames, board_chooser, rows_for

BOARD = BoardShare(9, 7, 1.0)


def played(moves: int, *, seed: int = 1, threads: int = 1, games: int = 40) -> QuickGoGames:
    """Returns games after so many moves by random logits without a preference for passing."""
    pool = QuickGoGames(BOARD, games, seed=seed, threads=threads, pinned=False)
    generator = torch.Generator().manual_seed(7)
    for _ in range(moves):
        logits = torch.randn(games, BOARD.area + 1, generator=generator)
        pool.advance(logits, torch.zeros(games))
    return pool


def test_the_seed_decides_the_games_and_the_threads_do_not() -> None:
    first, same, other = played(30), played(30, threads=3), played(30, seed=2)
    for part, again in zip(first.rows, same.rows, strict=True):
        assert torch.equal(part, again)
    assert not torch.equal(first.rows.planes, other.rows.planes)


def test_rows_show_the_positions() -> None:
    games = played(25)
    for index in range(games.pool.games):
        position = games.pool.position(index)
        planes, numbers = position.features()
        assert np.array_equal(games.rows.planes[index].numpy(), planes)
        assert np.array_equal(games.rows.globals[index].numpy(), numbers)
        assert np.array_equal(games.rows.legal[index].numpy(), position.legal_mask())


def test_games_end_and_begin_again() -> None:
    games = played(2 * BOARD.area)
    assert games.pool.finished > games.pool.games
    assert not any(games.pool.position(index).is_over for index in range(games.pool.games))


def test_games_are_of_many_kinds() -> None:
    games = played(12, games=400)
    positions = [games.pool.position(index) for index in range(400)]
    assert {position.rules.scoring for position in positions} == {"AREA", "TERRITORY"}
    assert {position.rules.ko for position in positions} == {"SIMPLE", "POSITIONAL", "SITUATIONAL"}
    assert {position.rules.suicide for position in positions} == {False, True}
    assert len({position.komi for position in positions}) > 5
    assert {position.to_move for position in positions} == {0, 1}


def test_a_lead_moves_the_komi_to_even() -> None:
    def mean_komi(black_lead: float) -> float:
        games = QuickGoGames(BOARD, 400, seed=5, threads=1, pinned=False)
        to_move = np.array([games.pool.position(index).to_move for index in range(400)])
        lead = torch.from_numpy(np.where(to_move == 0, black_lead, -black_lead).astype(np.float32))
        games.advance(torch.randn(400, BOARD.area + 1), lead)
        return float(np.mean([games.pool.position(index).komi for index in range(400)]))

    assert mean_komi(8.0) > mean_komi(0.0) + 2.0


def test_rows_of_another_shape_are_refused() -> None:
    pool = GoGameBatch(9, 9, games=4, seed=1, threads=1)
    with pytest.raises(ValueError, match="logits does not have the shape of 4 games on 9x9"):
        pool.advance(np.zeros((4, 81), np.float32), np.zeros(4, np.float32))


def test_boards_are_chosen_by_their_shares() -> None:
    choose = board_chooser((BoardShare(9, 9, 3.0), BoardShare(7, 7, 1.0)), seed=1)
    chosen = [choose() for _ in range(2000)]
    assert chosen.count(0) / 2000 == pytest.approx(0.75, abs=0.04)
    assert all(7 <= min(board.width, board.height) <= 19 for board in BOARDS)


def test_batches_cost_about_the_same_on_every_board() -> None:
    assert rows_for(BoardShare(19, 19, 1.0), 361 * 80) == 80
    assert rows_for(BoardShare(7, 7, 1.0), 361 * 80) == 592
    assert rows_for(BoardShare(19, 19, 1.0), 1) == 8
