"""Boards by their names."""

from __future__ import annotations

import pytest

from engine.games.table import Board

BOARDS = {
    "go9": Board("go", 9, 9),
    "go9x13": Board("go", 9, 13),
    "othello8": Board("othello", 8, 8),
    "othello10": Board("othello", 10, 10),
    "connect4": Board("connect4", 7, 6),
    "connect4-8x7": Board("connect4", 8, 7),
    "darkchess": Board("darkchess", 4, 8),
    "darkchess2x4": Board("darkchess", 2, 4),
    "einstein": Board("einstein", 5, 5),
}
NONE = [
    "",
    "go",
    "chess8",
    "go20",
    "go9x9",
    "othello8x6",
    "connect4-7x6",
    "darkchess4x8",
    "darkchess8",
    "einstein5",
    "einstein6x6",
    "connect48x7",
    "go 9",
    "go9\n",
]


@pytest.mark.parametrize("name", BOARDS)
def test_a_board_is_read_by_its_name(name: str) -> None:
    assert BOARDS[name].name == name
    assert Board.of_name(name) == BOARDS[name]


@pytest.mark.parametrize("name", NONE)
def test_a_name_of_no_board_is_refused(name: str) -> None:
    with pytest.raises(ValueError, match="is not a board"):
        Board.of_name(name)
