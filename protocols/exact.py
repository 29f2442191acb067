"""Late positions looked at exactly: every move's score and best play, by the game's solver.

Knows how late is late enough and what an exact line looks like. Knows no search and no protocol.
"""

from __future__ import annotations

import time
from collections.abc import Callable

from engine.games.position import Position
from engine.search.solver import SOLVERS, Solver, TimedSolver
from protocols.thinker import AnalysisLine, Stop, Thought

MEGABYTES = 64
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
        solving = TimedSolver(self._solver, stop, self._now, started + MOST_SECONDS)
        lines = []
        for move in position.legal_moves():
            board = position.copy()
            board.play(move)
            found = solving.solve(board)
            if found is None:
                return None
            win_rate = 0.5 if found.score == 0 else float(found.score < 0)
            lines.append(
                AnalysisLine((move, *found.pv), win_rate, -float(found.score), 0, is_exact=True)
            )
        lines.sort(key=lambda line: -line.score)
        return Thought(tuple(lines), solving.nodes, self._now() - started)
