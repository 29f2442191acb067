"""The exact solvers by game, behind one interface.

SOLVERS is the table. Scores are of the side to move: in Othello the difference in discs at the end,
empty squares to the winner; in Connect4 1 for a win by the last disc, one more for every two discs
earlier, 0 for a draw.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Protocol

from engine._core import Connect4Solver, OthelloSolver, Solution


class Solver(Protocol):
    """Finds exact scores, and remembers what it found in a bounded table. One call at a time."""

    def solve(
        self,
        position: Any,  # noqa: ANN401 - of the core's class for the game
        *,
        max_nodes: int = 0,
        max_seconds: float = 0.0,
        alpha: int | None = None,
        beta: int | None = None,
    ) -> Solution:
        """The score of best play; not exact where a limit (0: none) or stop() ended it."""

    def solve_moves(
        self,
        position: Any,  # noqa: ANN401
        *,
        max_nodes: int = 0,
        max_seconds: float = 0.0,
    ) -> list[tuple[int, int]]:
        """(move, exact score of its side) of each legal move; fewer where a limit ended it."""

    def stop(self) -> None:
        """End the call under way in another thread soon."""

    def clear(self) -> None:
        """Forget all positions."""


# The game -> a solver that remembers in so many megabytes.
SOLVERS: dict[str, Callable[[int], Solver]] = {
    "othello": OthelloSolver,
    "connect4": Connect4Solver,
}
