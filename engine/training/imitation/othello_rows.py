"""Batches of Othello positions as a network's inputs and targets, turned at will.

Rows equal those of OthelloPosition.features(), made for a whole batch at once; symmetries have the
same numbers.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from engine._core import othello_moves
from engine.training.common.turns import turns_of
from engine.training.imitation.othello_games import CELLS, SIZE, OthelloGames

SYMMETRIES = 8
PLANES = 5
GLOBALS = 3


class HumanSamples(NamedTuple):
    """Rows of n positions, with the played moves and the games' results."""

    planes: Tensor  # uint8 [n, 5, 8, 8]
    globals: Tensor  # float32 [n, 3]
    legal: Tensor  # uint8 [n, 65]
    move: Tensor  # int64 [n], 64 a pass
    result: Tensor  # float32 [n]: 1 the side to move won, .5 drawn, 0 lost
    score: Tensor  # float32 [n]: its final lead in discs, empty cells the winner's
    ownership: Tensor  # float32 [n, 64]: +1 its disc in the end, -1 the opponent's
    owned: Tensor  # float32 [n]: 0 for a game broken off: it has no owners


# [8, 65]: the source of each move after a symmetry, passing last.
TURNS: NDArray[np.int64] = turns_of("othello", SIZE, SIZE).moves.numpy()
TURNED = np.argsort(TURNS, axis=1)  # the place of each move after a symmetry


def samples_of(
    games: OthelloGames, rows: NDArray[np.int64], symmetries: NDArray[np.int64]
) -> HumanSamples:
    """Returns the samples of positions `rows` [n] of the games, each turned by `symmetries` [n]."""
    own, other = games.own[rows], games.other[rows]
    to_move, game = games.to_move[rows], games.game[rows]
    black, white = games.black[game], games.white[game]
    is_black = to_move == 0
    last_own = np.where(is_black, black, white)
    last_other = np.where(is_black, white, black)
    boards = _turned_cells(
        (own, other, othello_moves(own, other), othello_moves(other, own), last_own, last_other),
        symmetries,
    )
    planes = np.concatenate((np.ones_like(boards[:, :1]), boards[:, :4]), axis=1)
    ownership = boards[:, 4].astype(np.float32) - boards[:, 5]
    score = np.where(is_black, games.black_score[game], -games.black_score[game])
    return HumanSamples(
        planes=torch.from_numpy(planes.reshape(-1, PLANES, SIZE, SIZE)),
        globals=torch.from_numpy(_globals(own | other, is_black)),
        legal=torch.from_numpy(_legal(boards[:, 2], boards[:, 3])),
        move=torch.from_numpy(TURNED[symmetries, games.move[rows]]),
        result=torch.from_numpy((np.sign(score) / 2 + 0.5).astype(np.float32)),
        score=torch.from_numpy(score.astype(np.float32)),
        ownership=torch.from_numpy(ownership),
        owned=torch.from_numpy(games.over[game].astype(np.float32)),
    )


def _turned_cells(
    boards: tuple[NDArray[np.uint64], ...], symmetries: NDArray[np.int64]
) -> NDArray[np.uint8]:
    """Returns sets of cells as zeros and ones, turned, uint8 `[n, boards, 64]`."""
    sets = np.stack(boards, axis=1).astype("<u8")
    cells = np.unpackbits(sets.view(np.uint8), axis=1, bitorder="little")
    upright = cells.reshape(len(sets), len(boards), CELLS)
    return np.take_along_axis(upright, TURNS[symmetries, None, :CELLS], axis=2)


def _globals(discs: NDArray[np.uint64], is_black: NDArray[np.bool_]) -> NDArray[np.float32]:
    empty = CELLS - np.bitwise_count(discs).astype(np.int64)
    return np.stack((is_black, empty / CELLS, empty % 2), axis=1).astype(np.float32)


def _legal(own: NDArray[np.uint8], other: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """Returns legal moves from both sides' possible cells.

    A pass if only the other side can move.
    """
    may_pass = ~own.any(axis=1, keepdims=True) & other.any(axis=1, keepdims=True)
    return np.concatenate((own, may_pass.astype(np.uint8)), axis=1)
