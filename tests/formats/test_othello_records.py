"""Records replayed in bulk, compared with positions played move by move."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from engine._core import OthelloPosition, othello_moves, play_othello_records
from tests.support.training.thor_files import random_game


def bits_of(position: OthelloPosition, color: int) -> int:
    cells = np.flatnonzero(np.asarray(position.stones).reshape(-1) == color + 1)
    return sum(1 << int(cell) for cell in cells)


def columns(games: list[list[int]]) -> dict[str, NDArray[Any]]:
    cells = np.array([cell for game in games for cell in game], np.uint8)
    return play_othello_records(cells, np.array([len(game) for game in games], np.int32))


def test_every_position_of_a_record_is_a_row_passes_too() -> None:
    games = [list(random_game(seed).moves) for seed in range(12)]
    games[3] = games[3][:30]
    replayed = columns(games)
    row = passes = 0
    for number, game in enumerate(games):
        position = OthelloPosition(8)
        left = list(game)
        while left:
            color = position.to_move
            move = left[0] if position.is_legal(left[0]) else position.pass_move
            expected = bits_of(position, color), bits_of(position, 1 - color), color, move, number
            names = ("own", "other", "to_move", "move", "game")
            assert tuple(int(replayed[name][row]) for name in names) == expected
            position.play(move)
            passes += move == position.pass_move
            if move == left[0]:
                del left[0]
            row += 1
        last = bits_of(position, 0), bits_of(position, 1), int(position.is_over)
        assert tuple(int(replayed[name][number]) for name in ("black", "white", "over")) == last
    assert row == len(replayed["own"])
    assert passes > 0, "no game of these tests a pass"
    assert replayed["over"].tolist() == [1, 1, 1, 0, *[1] * 8]


def test_moves_are_those_of_positions() -> None:
    replayed = columns([list(random_game(5).moves)])
    moves = othello_moves(replayed["own"], replayed["other"])
    for own, other, bits in zip(replayed["own"], replayed["other"], moves, strict=True):
        position = OthelloPosition(8)
        discs = [(0, cell) for cell in range(64) if int(own) >> cell & 1]
        discs += [(1, cell) for cell in range(64) if int(other) >> cell & 1]
        position.setup(discs)
        legal = {move for move in position.legal_moves() if move < 64}
        assert legal == {cell for cell in range(64) if int(bits) >> cell & 1}


@pytest.mark.parametrize(
    ("moves", "lengths", "text"),
    [
        ([37, 0], [2], "game 0: move 2, cell 0, is illegal"),
        ([37, 64], [2], "move 2, cell 64, is illegal"),
        ([37, 37, 200], [1, 2], "game 1: move 2, cell 200, is illegal"),
        ([37], [2], "game 0 has 2 moves, 1 are left"),
        ([37], [-1], "game 0 has -1 moves"),
        ([37, 43], [1], "1 moves belong to no game"),
    ],
)
def test_impossible_records_are_refused(moves: list[int], lengths: list[int], text: str) -> None:
    with pytest.raises(ValueError, match=text):
        play_othello_records(np.array(moves, np.uint8), np.array(lengths, np.int32))


def test_columns_of_different_length_are_refused() -> None:
    with pytest.raises(ValueError, match="differ in length"):
        othello_moves(np.zeros(2, np.uint64), np.zeros(1, np.uint64))


def test_no_games_are_no_rows() -> None:
    assert {len(column) for column in columns([]).values()} == {0}
