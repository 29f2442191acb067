"""Positions for the agents' tests: pictures, and games played at random."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any

from engine._core import Connect4Position, OthelloPosition


def new(name: str) -> Any:
    """A new game: "connect4" or "othello" and a size."""
    return Connect4Position() if name == "connect4" else OthelloPosition(int(name[7:]))


def set_up(position: Any, picture: str, to_move: int = 0) -> Any:
    """The position of a picture: x color 0, o color 1, rows from the top."""
    cells = "".join(picture.split())
    assert len(cells) == position.width * position.height
    position.setup([("xo".index(c), i) for i, c in enumerate(cells) if c != "."], to_move)
    return position


def played_at_random(name: str, games: int, seed: int = 1) -> Iterator[Any]:
    """Every position with a move to choose of some random games."""
    rng = random.Random(seed)
    for _ in range(games):
        position = new(name)
        while not position.is_over:
            yield position.copy()
            position.play(rng.choice(position.legal_moves()))
