"""The perfect player: any of the best moves, by the exact solver.

Knows which moves are best and where that is too much to ask. What took long to find out it can keep
in a file. The solvers themselves are in engine.search.solver.
"""

from __future__ import annotations

import random
from pathlib import Path

from engine._core import Connect4Position, OthelloPosition
from engine.agents.solved import SolvedAgent
from engine.errors import SettingError
from engine.games.position import Position
from engine.play.steps.exact import COSTS
from engine.search.solver import SOLVERS, Solver, reaches
from engine.values import Choice

MEGABYTES = 128  # that a solver remembers in
MOST_SECONDS = 600.0  # that solving a position may be expected to take
KEPT_NODES = 5_000_000  # looked at for a position, from which on the file keeps what was found
GOALS = ("result", "score")  # what a best move keeps
GAMES = {OthelloPosition: "othello", Connect4Position: "connect4"}


class Perfect:
    """An Agent that plays, at random, one of the moves that keep the best result or score."""

    def __init__(self, text: str, goal: str, solved: SolvedAgent, seed: int) -> None:
        self.text = text
        self._goal = goal  # one of GOALS
        self._solved = solved
        self._solver: Solver | None = None  # made when first needed: it fills its memory
        self._rng = random.Random(seed)  # noqa: S311 - no secret

    def begin(self, seed: int) -> None:
        """Start a new game; what was solved stays known."""
        self._rng = random.Random(seed)  # noqa: S311 - no secret

    def choose(self, position: Position) -> Choice:
        """One of the best moves; SettingError where more is empty than can be solved."""
        legal = position.legal_moves()
        if not legal:
            raise ValueError("the game is over: there is no move to choose")
        if len(legal) == 1:
            return Choice(legal[0], "the only move", nodes=0)
        moves, nodes = self._solved.moves(self._goal, position), 0
        if moves is None:
            moves, nodes = self._solve(position)
            if nodes >= KEPT_NODES:
                self._solved.add(self._goal, position, moves)
        return Choice(
            self._rng.choice(moves), f"one of {len(moves)} that keep the {self._goal}", nodes=nodes
        )

    def finish(self, position: Position) -> None:
        """Nothing: what was solved is kept at once."""

    def _solve(self, position: Position) -> tuple[list[int], int]:
        """The best moves, and how many positions were looked at."""
        game = next(name for kind, name in GAMES.items() if isinstance(position, kind))
        empties, most = int((position.stones == 0).sum()), most_empties(game)
        if empties > most:
            raise SettingError(
                f"agent {self.text!r} plays where {most} cells or fewer are empty: with {empties} "
                "nobody could wait for an exact move"
            )
        if self._solver is None:
            self._solver = SOLVERS[game](MEGABYTES)
        return best_moves(self._solver, position, exactly=self._goal == "score")


def most_empties(game: str) -> int:
    """With how many empty cells a position is still solved in a bearable time."""
    cost, empties = COSTS[game], 0
    while cost.seconds_for(empties + 1) <= MOST_SECONDS:
        empties += 1
    return empties


def best_moves(solver: Solver, position: Position, *, exactly: bool) -> tuple[list[int], int]:
    """The moves that keep the best score, or else only the best result; and positions looked at."""
    nodes = 0

    def solve(asked: Position, alpha: int | None, beta: int | None) -> int:
        nonlocal nodes
        found = solver.solve(asked, alpha=alpha, beta=beta)
        nodes += found.nodes
        return found.score

    legal = position.legal_moves()
    if exactly:
        score = solve(position, None, None)
    else:
        score = min(solve(position, -1, 1), 1)
        if score < 0:
            return legal, nodes  # lost, whatever it plays
    return [move for move in legal if reaches(position, move, score, solve)], nodes


def load_perfect(text: str, argument: str, seed: int) -> Perfect:
    """The agent of an argument such as "score:FILE"; ValueError quotes one that means nothing."""
    goal, _, path = argument.partition(":")
    if (goal or GOALS[0]) not in GOALS:
        raise ValueError(f"agent {text!r} keeps the {' or the '.join(GOALS)}, not {goal!r}")
    return Perfect(text, goal or GOALS[0], SolvedAgent(Path(path) if path else None), seed)
