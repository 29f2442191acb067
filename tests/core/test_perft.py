"""Counts of move sequences and positions, against published ones."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from engine._core import Connect4Position, OthelloPosition, distinct_positions, perft
from engine.games.position import Position

# From the start, by the number of moves.
OTHELLO_8 = [1, 4, 12, 56, 244, 1396, 8200, 55092, 390216, 3005288]  # a forced pass counts
OTHELLO_6 = [1, 4, 12, 56, 244, 1364, 7604, 47740, 308716, 2114912]
CONNECT4 = [1, 7, 49, 343, 2401, 16807, 117649, 823536, 5673234]  # a win ends a line
CONNECT4_DISTINCT = [1, 7, 49, 238, 1120, 4263, 16422, 54859, 184275]


def test_othello_8x8() -> None:
    start = OthelloPosition(8)
    assert [perft(start, moves) for moves in range(len(OTHELLO_8))] == OTHELLO_8


def test_othello_6x6() -> None:
    # No pass comes before the ninth move, which is the last here.
    start = OthelloPosition(6)
    assert [perft(start, moves) for moves in range(len(OTHELLO_6))] == OTHELLO_6


def test_connect4_sequences() -> None:
    start = Connect4Position()
    assert [perft(start, moves) for moves in range(len(CONNECT4))] == CONNECT4


def test_connect4_distinct_positions() -> None:
    assert distinct_positions(Connect4Position(), 8) == CONNECT4_DISTINCT


def test_nothing_follows_the_end() -> None:
    position = Connect4Position()
    for column in (0, 1, 0, 1, 0, 1, 0):
        position.play(column)
    assert position.winner == 0
    assert (perft(position, 0), perft(position, 1)) == (1, 0)
    assert distinct_positions(position, 1) == [1, 0]


@pytest.mark.parametrize("count", [perft, distinct_positions])
def test_a_negative_number_of_moves_is_refused(
    count: Callable[[Position, int], object],
) -> None:
    with pytest.raises(ValueError, match="-3"):
        count(OthelloPosition(), -3)
