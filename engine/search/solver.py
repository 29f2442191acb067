"""The exact solvers by game, behind one interface, and a query that can be stopped.

SOLVERS is the table. Scores are from the side to move: in Othello the final difference in discs,
with empty squares to the winner; in Connect4 1 for a win by the last disc, one more for every two
discs earlier, 0 for a draw.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Protocol

from engine._core import Connect4Solver, OthelloSolver, Solution
from engine.games.position import Position

# of the first try, before the next test for a stop; each further try has twice as long
FIRST_SECONDS = 0.05


class Solver(Protocol):
    """Finds exact scores, and keeps them in a bounded table. One call at a time."""

    def solve(
        self,
        position: Any,  # noqa: ANN401 - of the core's class for the game
        *,
        max_nodes: int = 0,
        max_seconds: float = 0.0,
        alpha: int | None = None,
        beta: int | None = None,
    ) -> Solution:
        """Score of best play; not exact if a limit (0: none) or stop() ended the call."""

    def solve_moves(
        self,
        position: Any,  # noqa: ANN401
        *,
        max_nodes: int = 0,
        max_seconds: float = 0.0,
    ) -> list[tuple[int, int]]:
        """Pairs (move, exact score of its side) of the legal moves; fewer after a limit."""

    def stop(self) -> None:
        """Ends a call in another thread soon."""

    def clear(self) -> None:
        """Clears the table of positions."""


# game -> maker of a solver, by the megabytes of its table
SOLVERS: dict[str, Callable[[int], Solver]] = {
    "othello": OthelloSolver,
    "connect4": Connect4Solver,
}


def reaches(
    position: Position, move: int, score: int, solve: Callable[[Position, int, int], int | None]
) -> bool | None:
    """Tests whether the move reaches that score or more for its side; None if `solve` gave up.

    solve: (position, alpha, beta) -> the score for the position's side to move.
    """
    after = position.copy()
    after.play(move)
    if after.is_over:
        return int(after.black_score) * (1 if position.to_move == 0 else -1) >= score
    answer = solve(after, -score, 1 - score)
    return None if answer is None else -answer >= score


@dataclass
class TimedSolver:
    """A solver with a deadline and a stop condition. Its table lets a repeated query continue."""

    solver: Solver
    stop: Callable[[], bool]
    now: Callable[[], float]
    deadline: float  # time limit on the clock of now(), in seconds
    nodes: int = 0  # nodes searched so far

    def solve(
        self, position: Position, alpha: int | None = None, beta: int | None = None
    ) -> Solution | None:
        """Returns the exact solution; None after a stop or at the deadline."""
        seconds = FIRST_SECONDS
        while not self.stop():
            left = self.deadline - self.now()
            if left <= 0:
                return None
            tried = min(seconds, left)
            solution = self.solver.solve(position, max_seconds=tried, alpha=alpha, beta=beta)
            self.nodes += solution.nodes
            if solution.exact:
                return solution
            seconds *= 2
        return None
