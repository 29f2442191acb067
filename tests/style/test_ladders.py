"""Moves that misread a ladder, on drawn boards: ! marks those of Black, X and O are stones."""

from __future__ import annotations

import pytest

from engine._core import GoRules
from engine.style.ladders import misread_ladders
from tests.support.diagrams import position_of, rows_of

BOARDS = {
    "a ladder that works is started": """
        . . . . . . . . .
        . . . . . . . . .
        . . . . . . . . .
        . . . . . X . . .
        . . . X O . . . .
        . . . . X . . . .
        . . . . . . . . .
        . . . . . . . . .
        . . . . . . . . .
        """,
    "nobody starts into a breaker": """
        . . . . . . . . . . .
        . . O . . . . . . . .
        . . . . . . . . . . .
        . . . . . . . . . . .
        . . . . . . . . . . .
        . . . . . ! X . . . .
        . . . . X O ! . . . .
        . . . . . X . . . . .
        . . . . . . . . . O .
        . . . . . . . . . . .
        . . . . . . . . . . .
        """,
    "an atari at the breaker is no ladder": """
        . . . . . . . . .
        . . . . . . . . .
        . . . O . . . . .
        . . . . . X . . .
        . . . X O . . . .
        . . . . X . O . .
        . . . . . . . . .
        . . . . . . . . .
        . . . . . . . . .
        """,
    "nobody runs from a ladder": """
        . . . . . . . .
        . . . . . . . .
        . . ! O . . . .
        . O X O . . . .
        . . O . . . . .
        . . . . . . . .
        . . . . . . . .
        . . . . . . . .
        """,
    "towards a friend one runs": """
        . . . . . . . .
        . X . . . . . .
        . . . O . . . .
        . O X O . . . .
        . . O . . . . .
        . . . . . . . .
        . . . . . . . .
        . . . . . . . .
        """,
}


@pytest.mark.parametrize("name", BOARDS)
def test_drawn_board(name: str) -> None:
    board = rows_of(BOARDS[name])
    position = position_of(BOARDS[name].replace("!", "."), GoRules())
    misread = misread_ladders(position)
    cells = [cell for row in board for cell in row]
    assert misread == {move for move, cell in enumerate(cells) if cell == "!"}
