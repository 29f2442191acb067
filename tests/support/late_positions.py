"""Positions near the end of small games, from which all that can come is soon counted."""

from __future__ import annotations

from engine._core import Connect4Position, OthelloPosition


def connect4_late() -> Connect4Position:
    """Seven empty cells of a board of 4x4."""
    position = Connect4Position(4, 4)
    for column in (0, 1, 0, 1, 2, 2, 3, 0, 3):
        position.play(column)
    return position


def othello_late() -> OthelloPosition:
    """Six empty squares of a board of 4x4."""
    position = OthelloPosition(4)
    for number in range(6):
        position.play(position.legal_moves()[number % len(position.legal_moves())])
    return position
