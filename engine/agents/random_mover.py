"""The agent of uniformly random legal moves, in every game."""

from __future__ import annotations

import random
from typing import Any

from engine._core import random_move
from engine.games.position import PolicyIndexedPosition, Position
from engine.values import Choice

REASON = "any legal move"


class RandomMover:
    """An Agent without a plan. In Go it fills no own eye, and passes when no other move is left.

    The core draws the moves of its own games; those of chess are drawn here.
    """

    def __init__(self, text: str, argument: str, seed: int) -> None:
        """Raises ValueError for an argument."""
        if argument:
            raise ValueError(f"agent {text!r} takes nothing after its name")
        self.text = text
        self._seed = seed

    def begin(self, seed: int) -> None:
        """Starts a new game."""
        self._seed = seed

    def choose(self, position: Any) -> Choice:  # noqa: ANN401 (of its game)
        """Returns a legal move. Raises ValueError without one."""
        if not _is_pythons(position):
            return Choice(random_move(position, self._seed).move, REASON)
        rng = random.Random(f"{self._seed} {position.move_number}")  # noqa: S311 - no secret
        moves = position.legal_moves()
        if not moves:
            raise ValueError("the game is over: there is no move to choose")
        return Choice(rng.choice(moves), REASON)

    def finish(self, position: Position) -> None:
        """Does nothing: it learns from no game."""


def _is_pythons(position: Any) -> bool:  # noqa: ANN401 (of its game)
    """Tests for a position of chess, the one game without the core."""
    return isinstance(position, PolicyIndexedPosition)
