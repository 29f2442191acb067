"""The planes and numbers that networks of Othello and Connect4 see, against the slow referees."""

from __future__ import annotations

import random

import numpy as np
import pytest
from numpy.typing import NDArray

from engine.games.table import GAMES
from tests.support.line_referees import EMPTY, FIRST, Connect4, Othello, connect4, othello


def plane(width: int, height: int, cells: list[int]) -> NDArray[np.uint8]:
    out = np.zeros(width * height, np.uint8)
    out[cells] = 1
    return out.reshape(height, width)


def discs(game: Othello | Connect4, color: int) -> list[int]:
    return [cell for cell, disc in enumerate(game.cells) if disc == color]


def othello_planes(game: Othello) -> list[list[int]]:
    own, other = game.to_move, 3 - game.to_move
    return [discs(game, own), discs(game, other), game.placements(own), game.placements(other)]


def connect4_planes(game: Connect4) -> list[list[int]]:
    own, other = game.to_move, 3 - game.to_move
    empty = discs(game, EMPTY)
    below = {cell: cell + game.width for cell in empty}
    return [
        discs(game, own),
        discs(game, other),
        [cell for cell in empty if game.cells[below[cell] : below[cell] + 1] != (EMPTY,)],
        *([cell for cell in empty if game.makes_four(cell, color)] for color in (own, other)),
    ]


@pytest.mark.parametrize("size", [4, 6, 8, 10])
def test_othello(size: int) -> None:
    rng = random.Random(size)
    for _ in range(8):
        position, game = GAMES["othello"].new_position(size, size), othello(size)
        while True:
            planes, numbers = position.features()
            expected = [plane(size, size, cells) for cells in othello_planes(game)]
            assert (planes[1:] == np.stack(expected)).all()
            empty = game.cells.count(EMPTY)
            first = float(game.to_move == FIRST)
            assert numbers.tolist() == pytest.approx([first, empty / size**2, empty % 2])
            moves = game.legal_moves()
            if not moves:
                break
            move = rng.choice(moves)
            position.play(move)
            game = game.play(move)


@pytest.mark.parametrize(("width", "height"), [(7, 6), (4, 4), (5, 8), (9, 6), (12, 4)])
def test_connect4(width: int, height: int) -> None:
    rng = random.Random(width)
    threats = 0
    for _ in range(15):
        position, game = GAMES["connect4"].new_position(width, height), connect4(width, height)
        while moves := game.legal_moves():
            planes, numbers = position.features()
            expected = [plane(width, height, cells) for cells in connect4_planes(game)]
            assert (planes[1:] == np.stack(expected)).all()
            threats += int(planes[4].sum())
            empty = game.cells.count(EMPTY)
            first = float(game.to_move == FIRST)
            assert numbers.tolist() == pytest.approx([first, empty / (width * height)])
            move = rng.choice(moves)
            position.play(move)
            game = game.play(move)
    assert threats > 10
