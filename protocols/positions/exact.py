"""Exact analysis of late positions: the score and the best line of every move, by the solver.

It needs no search, and serves any protocol.
"""

from __future__ import annotations

import time
from collections.abc import Callable

from engine.games.position import Position
from engine.search.solver import SOLVERS, Solver, TimedSolver
from protocols.positions.player import AnalysisLine, PositionAnalysis, Stop

MEGABYTES = 64
MOST_SECONDS = 10.0  # then the position is left to the search


class ExactEndings:
    """The solver of one game, created at the first late position. Used by one thread."""

    def __init__(self, game: str, *, now: Callable[[], float] = time.monotonic) -> None:
        self._game = game
        self._now = now
        self._solver: Solver | None = None

    def analysis(self, position: Position, *, empties: int, stop: Stop) -> PositionAnalysis | None:
        """Returns all moves with their exact scores, best first.

        None with more than `empties` empty cells, without a solver, after `stop`, and after
        MOST_SECONDS.
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
        return PositionAnalysis(tuple(lines), solving.nodes, self._now() - started)
