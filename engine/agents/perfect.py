"""The perfect player: any of the best moves, by the exact solver.

Positions with too many empty cells are refused. Results of long searches can be saved in a file.
The solvers are in engine.search.solver.
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

MEGABYTES = 128  # size of a solver's table
MOST_SECONDS = 600.0  # the longest expected time of solving
SAVED_NODES = 5_000_000  # the file saves results of searches with at least this number of nodes
GOALS = ("result", "score")  # preserved by a best move
GAMES = {OthelloPosition: "othello", Connect4Position: "connect4"}


class Perfect:
    """An Agent of random play among the moves with the best result or score."""

    def __init__(self, text: str, goal: str, solved: SolvedAgent, seed: int) -> None:
        self.text = text
        self._goal = goal  # one of GOALS
        self._solved = solved
        self._solver: Solver | None = None  # made when first needed: its table is large
        self._rng = random.Random(seed)  # noqa: S311 - no secret

    def begin(self, seed: int) -> None:
        """Starts a new game; solved positions stay solved."""
        self._rng = random.Random(seed)  # noqa: S311 - no secret

    def choose(self, position: Position) -> Choice:
        """Returns one of the best moves.

        Raises ValueError without a move, and SettingError with too many empty cells to solve.
        """
        legal = position.legal_moves()
        if not legal:
            raise ValueError("the game is over: there is no move to choose")
        if len(legal) == 1:
            return Choice(legal[0], "the only move", nodes=0)
        moves, nodes = self._solved.moves(self._goal, position), 0
        if moves is None:
            moves, nodes = self._solve(position)
            if nodes >= SAVED_NODES:
                self._solved.add(self._goal, position, moves)
        return Choice(
            self._rng.choice(moves), f"one of {len(moves)} that keep the {self._goal}", nodes=nodes
        )

    def finish(self, position: Position) -> None:
        """Does nothing: solved positions are saved at once."""

    def _solve(self, position: Position) -> tuple[list[int], int]:
        """Returns the best moves, and the number of searched positions."""
        game = next(name for kind, name in GAMES.items() if isinstance(position, kind))
        empties, most = int((position.stones == 0).sum()), most_empties(game)
        if empties > most:
            raise SettingError(
                f"agent {self.text!r} plays with at most {most} empty cells: with {empties} an "
                "exact move takes too long"
            )
        if self._solver is None:
            self._solver = SOLVERS[game](MEGABYTES)
        return best_moves(self._solver, position, exactly=self._goal == "score")


def most_empties(game: str) -> int:
    """Returns the most empty cells of a position solved in an expected MOST_SECONDS."""
    cost, empties = COSTS[game], 0
    while cost.seconds_for(empties + 1) <= MOST_SECONDS:
        empties += 1
    return empties


def best_moves(solver: Solver, position: Position, *, exactly: bool) -> tuple[list[int], int]:
    """Returns the moves of the best score, and the number of searched positions.

    exactly: False: the moves of the best result, whatever their score.
    """
    nodes = 0

    def solve(after: Position, alpha: int | None, beta: int | None) -> int:
        nonlocal nodes
        solution = solver.solve(after, alpha=alpha, beta=beta)
        nodes += solution.nodes
        return solution.score

    legal = position.legal_moves()
    if exactly:
        score = solve(position, None, None)
    else:
        score = min(solve(position, -1, 1), 1)
        if score < 0:
            return legal, nodes  # every move loses
    return [move for move in legal if reaches(position, move, score, solve)], nodes


def load_perfect(text: str, argument: str, seed: int) -> Perfect:
    """Returns the agent of an argument such as "score:FILE".

    Raises ValueError quoting an unknown goal.
    """
    goal, _, path = argument.partition(":")
    if (goal or GOALS[0]) not in GOALS:
        raise ValueError(f"agent {text!r} keeps the {' or the '.join(GOALS)}, not {goal!r}")
    return Perfect(text, goal or GOALS[0], SolvedAgent(Path(path) if path else None), seed)
