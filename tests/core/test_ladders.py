"""Ladders on drawn boards.

X and O are stones; small letters the stones of chains that a ladder captures; * a move of Black
that starts such a capture of a chain with two liberties.
"""

from __future__ import annotations

import numpy as np
import pytest

from engine._core import GoPosition, GoRules
from tests.support.diagrams import position_of, rows_of

BOARDS = {
    "works on both sides": """
        . . . . . . . . .
        . . . . . . . . .
        . . . . . . . . .
        . . . . * X . . .
        . . . X o * . . .
        . . . . X . . . .
        . . . . . . . . .
        . . . . . . . . .
        . . . . . . . . .
        """,
    "a breaker on one way": """
        . . . . . . . . .
        . . . . . . . . .
        . . . . . . . . .
        . . . . . X . . .
        . . . X o * . . .
        . . . . X . . . .
        . . . . . . O . .
        . . . . . . . . .
        . . . . . . . . .
        """,
    "breakers on both ways": """
        . . . . . . . . .
        . . O . . . . . .
        . . . . . . . . .
        . . . . . X . . .
        . . . X O . . . .
        . . . . X . . . .
        . . . . . . O . .
        . . . . . . . . .
        . . . . . . . . .
        """,
    "a cage is no ladder": """
        X X X X X X X X
        X . . . . . . X
        X . . . . . . X
        X . X O . . . X
        X . . X . . . X
        X . . . . . . X
        X X X X X X X X
        """,
    "escapes by capturing a ladder stone": """
        . . . . . . .
        . . . O X O .
        . . . X O . .
        . . . . X . .
        . . . . . . .
        """,
    "along the edge": """
        . o o X . .
        . X X . . .
        . . . . . .
        . . . . . .
        """,
    "in atari though it moves first": """
        o X . . .
        . X . . .
        X . . . .
        . . . . .
        """,
    "white's ladders are marked, not their moves": """
        . . . . . .
        . . . . . .
        . O X . . .
        . . O . . .
        . . . . . .
        """,
    "only by a ko": """
        . O O . o * X
        o X X o o X .
        X . . X X . .
        . . . . . . .
        . . . . . . .
        """,
}


def drawn(name: str) -> GoPosition:
    return position_of(BOARDS[name].upper(), GoRules())


@pytest.mark.parametrize("name", BOARDS)
def test_drawn_board(name: str) -> None:
    board = rows_of(BOARDS[name])
    captured, winning = drawn(name).ladder()
    found = [
        [marked(cell, captured[y, x], winning[y, x]) for x, cell in enumerate(row)]
        for y, row in enumerate(board)
    ]
    assert found == board


def marked(cell: str, captured: bool, winning: bool) -> str:
    stone = "." if cell == "*" else cell.upper()
    return "*" if winning else stone.lower() if captured else stone


def test_a_ko_ban_stops_only_the_attacker() -> None:
    """After Black takes the ko, White's stone in atari counts as if it could retake."""
    position = drawn("only by a ko")
    position.play(0)
    assert position.ko_move == position.width
    captured, _ = position.ladder()
    assert not captured[0, 1]


def test_planes_show_the_ladders_of_three_boards() -> None:
    position = drawn("works on both sides")
    captured, winning = position.ladder()
    at = tuple(np.argwhere(captured)[0])
    spatial, _ = position.features()
    assert [spatial[plane][at] for plane in (14, 15, 16)] == [1, 1, 1]
    assert (spatial[17] == winning).all()

    for y, x in ((0, 2), (3, 4), (8, 6)):  # the second is White running out
        position.play(y * 9 + x)
    spatial, _ = position.features()
    assert [spatial[plane][at] for plane in (14, 15, 16)] == [0, 0, 1]
    assert spatial[17].sum() == 0
