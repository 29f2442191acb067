"""Moves of recorded games of chess in standard algebraic notation."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Any

from engine.games.game_record import GameRecord

REMEMBERED = 4  # games


def san_line(record: GameRecord, before: int, moves: Sequence[int]) -> list[str]:
    """Returns moves in turn from the position after so many moves of the game.

    Raises ValueError on an illegal move.
    """
    position = _positions(record)[before].copy()
    texts = []
    for move in moves:
        texts.append(str(position.san(move)))
        position.play(move)
    return texts


@lru_cache(maxsize=REMEMBERED)
def _positions(record: GameRecord) -> tuple[Any, ...]:
    """Returns the positions of a game before each move and at the end."""
    position, positions = record.beginning(), []
    for color, move in record.moves:
        positions.append(position.copy())
        position.play(move, color, tolerant=True)
    return (*positions, position)
