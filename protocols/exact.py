"""Late positions looked at exactly: every move's score and best play, by the game's solver.

Knows how the solver is asked piece by piece, so that it can be stopped without a second thread: it
remembers what it found, and asking again goes on from there. Knows no search and no protocol.
"""

from __future__ import annotations

import time
from collections.abc import Callable

from engine.position import Position
from engine.solver import SOLVERS, Solver
from protocols.thinker import Line, Stop, Thought

MEGABYTES = 64
FIRST_SECONDS = 0.05  # of a try; each further one has twice as long
MOST_SECONDS = 10.0  # then the position is left to the search


class ExactEndings:
    """The solver of one game; it is made at the first late position. Used by one thread."""

    def __init__(self, game: str, *, now: Callable[[], float] = time.monotonic) -> None:
        self._game = game
        self._now = now
        self._solver: Solver | None = None

    def thought(self, position: Position, *, empties: int, stop: Stop) -> Thought | None:
        """All moves with their exact scores, the best first.

        None where more cells are empty than that, the game has no solver, it was stopped, or it
        took too long.
        """
        if (position.stones == 0).sum() > empties or self._game not in SOLVERS:
            return None
        if self._solver is None:
            self._solver = SOLVERS[self._game](MEGABYTES)
        started = self._now()
        lines, nodes = [], 0
        for move in position.legal_moves():
            board = position.copy()
            board.play(move)
            solved = self._solved(self._solver, board, started, stop)
            if solved is None:
                return None
            score, variation, entered = solved
            nodes += entered
            win_rate = 0.5 if score == 0 else float(score < 0)
            lines.append(Line((move, *variation), win_rate, -float(score), 0, is_exact=True))
        lines.sort(key=lambda line: -line.score)
        return Thought(tuple(lines), nodes, self._now() - started)

    def _solved(
        self, solver: Solver, board: Position, started: float, stop: Stop
    ) -> tuple[int, list[int], int] | None:
        """Score by the view of who is to move, best play, positions entered; None if given up."""
        nodes, seconds = 0, FIRST_SECONDS
        while not stop() and self._now() - started < MOST_SECONDS:
            found = solver.solve(board, max_seconds=seconds)
            nodes += found.nodes
            if found.exact:
                return found.score, list(found.pv), nodes
            seconds *= 2
        return None
