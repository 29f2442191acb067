"""Positions at the beginning of each game."""

from __future__ import annotations

from engine._core import EinsteinPosition
from engine.games.chance import outcomes
from engine.games.position import Position
from engine.games.table import GAMES


def first_choice(game: str) -> Position:
    """Returns the first position of a game whose move is chosen, on its largest usual board.

    In EinStein würfelt nicht the pieces are placed at random before it.
    """
    position = GAMES[game].new_position(*GAMES[game].usual_sizes[-1])
    while isinstance(position, EinsteinPosition) and position.is_placing:
        position.play(outcomes(position, position.legal_moves()[0])[0][0])
    return position
