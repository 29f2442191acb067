"""The exact solvers by game, behind one interface, and how one is asked so that it can be stopped.

SOLVERS is the table. Scores are of the side to move: in Othello the difference in discs at the end,
empty squares to the winner; in Connect4 1 for a win by the last disc, one more for every two discs
earlier, 0 for a draw.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Protocol

from engine._core import Connect4Solver, OthelloSolver, Solution
from engine.games.position import Position

FIRST_SECONDS = 0.05  # of a try, after which it may be stopped; each further one has twice as long


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


def reaches(
    position: Position, move: int, score: int, solve: Callable[[Position, int, int], int | None]
) -> bool | None:
    """Whether the move comes to that score or more for its side; None where `solve` gave up.

    solve: the score of a position for its side to move, between (alpha, beta).
    """
    after = position.copy()
    after.play(move)
    if after.is_over:
        return int(after.black_score) * (1 if position.to_move == 0 else -1) >= score
    answer = solve(after, -score, 1 - score)
    return None if answer is None else -answer >= score


@dataclass
class TimedSolver:
    """One solver while it may be asked. It remembers, so asking again goes on from there."""

    solver: Solver
    stop: Callable[[], bool]
    now: Callable[[], float]
    deadline: float  # as now() tells it
    nodes: int = 0  # looked at so far

    def solve(
        self, position: Position, alpha: int | None = None, beta: int | None = None
    ) -> Solution | None:
        """The exact solution; None when it was stopped or the time was up."""
        seconds = FIRST_SECONDS
        while not self.stop():
            left = self.deadline - self.now()
            if left <= 0:
                return None
            tried = min(seconds, left)
            found = self.solver.solve(position, max_seconds=tried, alpha=alpha, beta=beta)
            self.nodes += found.nodes
            if found.exact:
                return found
            seconds *= 2
        return None
