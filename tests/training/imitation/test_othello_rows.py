"""Rows of a whole batch equal those of single positions, turned alike."""

from __future__ import annotations

import numpy as np
import pytest
import torch

from engine._core import OthelloPosition
from engine.training.imitation.othello_games import OthelloGames, play_games
from engine.training.imitation.othello_rows import HumanSamples, samples_of
from tests.support.training.thor_files import random_game

SEEDS = (1, 5, 8)


@pytest.fixture(scope="module")
def games() -> OthelloGames:
    return play_games([random_game(seed) for seed in SEEDS])


def positions(games: OthelloGames) -> list[OthelloPosition]:
    found = []
    for number in range(games.count):
        position = OthelloPosition(8)
        for move in games.move[games.game == number]:
            found.append(position.copy())
            position.play(int(move))
    return found


def upright(games: OthelloGames) -> HumanSamples:
    rows = np.arange(len(games))
    return samples_of(games, rows, np.zeros_like(rows))


@pytest.mark.parametrize("symmetry", range(8))
def test_rows_are_the_features_of_positions(games: OthelloGames, symmetry: int) -> None:
    rows = np.arange(len(games))
    samples = samples_of(games, rows, np.full_like(rows, symmetry))
    for row, position in enumerate(positions(games)):
        planes, numbers = position.features(symmetry)
        assert (samples.planes[row].numpy() == planes).all()
        assert samples.globals[row].tolist() == numbers.tolist()
        # Plane 3 has the legal cells, turned like everything else.
        assert (samples.legal[row, :64].numpy() == planes[3].reshape(-1)).all()
        assert samples.legal[row, 64] == position.legal_mask()[64]
    assert samples.legal.gather(1, samples.move[:, None]).all()
    assert (games.move == 64).any()


def test_the_move_and_the_last_discs_turn_with_the_board(games: OthelloGames) -> None:
    rows = np.full(8, 40)
    plain = upright(games)
    turned = samples_of(games, rows, np.arange(8))
    for symmetry in range(8):
        board = torch.zeros(64)
        board[plain.move[40]] = 1
        both = torch.stack((board, plain.ownership[40])).reshape(2, 8, 8)
        flips = [axis for bit, axis in ((1, 1), (2, 2)) if symmetry & bit]
        both = both.flip(flips)
        both = both.transpose(1, 2) if symmetry & 4 else both
        assert both[0].reshape(-1).argmax() == turned.move[symmetry]
        assert torch.equal(both[1].reshape(-1), turned.ownership[symmetry])


def test_results_are_those_of_the_side_to_move(games: OthelloGames) -> None:
    samples = upright(games)
    for number in range(games.count):
        of_game = torch.from_numpy(np.flatnonzero(games.game == number))
        black = float(games.black_score[number])
        sign = samples.globals[of_game, 0] * 2 - 1
        assert torch.equal(samples.score[of_game], sign * black)
        assert torch.equal(samples.result[of_game], (sign * black).sign() / 2 + 0.5)
        discs = samples.ownership[of_game].sum(dim=1)
        empty = 64 - int(np.bitwise_count(games.black[number] | games.white[number]))
        assert torch.equal((discs.abs() + empty) * discs.sign(), samples.score[of_game])
    assert samples.owned.all()
