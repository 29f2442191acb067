from __future__ import annotations

import random

import pytest

from engine._core import GoPosition, GoRules
from engine.games.position import Position
from engine.games.table import GAMES
from engine.match.game_spec import GameSpec, board_of
from engine.match.openings import legal_moves, loses_at_once, opening, usual_plies, wins_at_once


def start(name: str) -> GameSpec:
    return GameSpec(*board_of(name))


@pytest.mark.parametrize("game", [f"go{size}" for size in range(7, 20)] + ["go9x13", "go7x19"])
def test_openings_of_go_are_legal_and_repeat_by_their_seed(game: str) -> None:
    board = start(game)
    seen = set()
    for seed in range(30):
        moves = opening(board, random.Random(seed))
        assert moves == opening(board, random.Random(seed))
        seen.add(moves)
        position = GoPosition(board.width, board.height, GoRules())
        for move in moves:
            position.play(move)
        assert len(moves) == (4 if min(board.width, board.height) >= 12 else 2)
        assert all(position.liberties(move) == 4 for move in moves)
    assert len(seen) > 15


@pytest.mark.parametrize(
    ("game", "plies"),
    [
        ("othello", 8),
        ("othello10", 8),
        ("othello6", 4),
        ("othello4", 2),
        ("connect4", 4),
        ("connect4-8x7", 4),
        ("connect4-4x4", 2),
    ],
)
def test_openings_leave_a_game_to_play(game: str, plies: int) -> None:
    board = start(game)
    assert usual_plies(board) == plies
    seen = set()
    for seed in range(50):
        moves = opening(board, random.Random(seed))
        assert moves == opening(board, random.Random(seed))
        assert len(moves) == plies
        seen.add(moves)
        position = board.empty()
        for move in moves:
            assert position.is_legal(move)
            position.play(move)
        assert not position.is_over
    assert len(seen) > (3 if game == "othello4" else 10)


def connect4_after(columns: str) -> Position:
    position = GAMES["connect4"].new_position(7, 6)
    for column in columns:
        position.play(int(column) - 1)
    return position


# Column 4 wins for who has 1, 2 and 3; with 2, 3 and 4 between two empty cells one is lost.
@pytest.mark.parametrize(
    ("columns", "wins", "loses"),
    [("", False, False), ("172737", True, False), ("2737", False, False), ("27374", False, True)],
)
def test_what_is_decided_at_once(columns: str, wins: bool, loses: bool) -> None:
    position = connect4_after(columns)
    assert wins_at_once(position) == wins
    assert loses_at_once(position) == loses


def test_long_openings_of_connect4_are_not_decided() -> None:
    rng = random.Random(4)
    for _ in range(50):
        moves = legal_moves(start("connect4").empty(), rng, 12)
        position = connect4_after("".join(str(move + 1) for move in moves))
        assert len(moves) == 12
        assert not wins_at_once(position)
        assert not loses_at_once(position)


def test_no_opening_so_long_that_the_game_is_over() -> None:
    with pytest.raises(ValueError, match="no opening of 100 moves"):
        opening(start("othello4"), random.Random(1), 100)
