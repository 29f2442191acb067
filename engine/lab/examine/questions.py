"""The questions of an examination: random positions with the exact worth of each move.

The module plays random games, selects positions and solves them. The same seed always draws the
same positions, whatever the examined network.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from engine.agents import make_agent
from engine.games.position import Position, placed_stones
from engine.match.game_spec import GameSpec
from engine.search.solver import SOLVERS, Solver

MEGABYTES = 64  # size of the solver's table
SENSIBLE = "mcts:100"  # the agent of sensible moves
SEED_BITS = 48
TRIES = 10_000  # games for one question before giving up

# Kind of the game before the question -> the share of sensible moves.
PLAYS = {"random": 0.0, "half-sensible": 0.5}

# By game: the window of exact worth; None: all scores. For Connect4 only the winner counts: a win
# by the last disc is as good as any.
WINDOWS: dict[str, tuple[int, int] | None] = {"connect4": (-1, 1), "othello": None}


@dataclass(frozen=True, slots=True)
class Question:
    """A position with moves of different worth; all numbers are the side to move's."""

    position: Position
    moves: tuple[int, ...]  # moves from the start to the position
    play: str  # a key of PLAYS
    empties: int
    worth: Mapping[int, int]  # final score after each legal move, clipped to the window of WINDOWS
    score: int  # final score under best play
    quiet: bool  # whether no next move of either side ends the game

    @property
    def best(self) -> int:
        """The worth of the best moves."""
        return max(self.worth.values())

    def keeps(self, move: int) -> bool:
        """Whether the move keeps a win, or a draw at least."""
        return sign(self.worth[move]) == sign(self.best)


def sign(score: int) -> int:
    """Returns the winner: 1, 0 or -1."""
    return (score > 0) - (score < 0)


def draw(start: GameSpec, empties: Sequence[int], count: int, seed: int) -> Iterator[Question]:
    """Yields `count` different questions; numbers of empty cells and kinds of play alternate.

    Raises ValueError if games do not reach such positions.
    """
    drawing = _Drawing(start)
    plays = list(PLAYS)
    for number in range(count):
        turn, place = divmod(number, len(empties))
        rng = random.Random(f"{seed} question {number}")  # noqa: S311 - no secret
        yield drawing.next(empties[place], plays[(turn + place) % len(plays)], rng)


class _Drawing:
    """The state between questions: the solver's table, and the questions so far."""

    def __init__(self, start: GameSpec) -> None:
        self._start = start
        self._solver = SOLVERS[start.game](MEGABYTES)
        self._asked: set[int] = set()

    def next(self, empties: int, play: str, rng: random.Random) -> Question:
        """Returns the next new question."""
        for _ in range(TRIES):
            moves = _play(self._start, empties, PLAYS[play], rng)
            position = self._start.empty()
            for move in moves:
                position.play(move)
            if _empties(position) != empties or len(position.legal_moves()) < 2:
                continue
            if position.graph_hash in self._asked:
                continue
            worth = worths(position, self._solver, WINDOWS[self._start.game])
            if len(set(worth.values())) > 1:
                self._asked.add(position.graph_hash)
                score = self._solver.solve(position).score
                quiet = is_quiet(position)
                return Question(position, tuple(moves), play, empties, worth, score, quiet)
        raise ValueError(f"no question with {empties} empty cells in {TRIES} games")


def _play(start: GameSpec, empties: int, sensible: float, rng: random.Random) -> list[int]:
    """Returns the moves of a game up to `empties` empty cells, or to its end."""
    position, moves = start.empty(), list[int]()
    agent = make_agent(SENSIBLE, start.game, rng.getrandbits(SEED_BITS))
    while not position.is_over and _empties(position) > empties:
        chosen = agent.choose(position).move if rng.random() < sensible else None
        move = rng.choice(position.legal_moves()) if chosen is None else chosen
        position.play(move)
        moves.append(move)
    return moves


def _empties(position: Position) -> int:
    return int((position.stones == 0).sum())


def is_quiet(position: Position) -> bool:
    """Whether no side has a move that ends the game, with either to move."""
    turned = position.copy()
    turned.setup(placed_stones(position), 1 - position.to_move)
    return not any(
        _after(side, move).is_over for side in (position, turned) for move in side.legal_moves()
    )


def _after(position: Position, move: int) -> Position:
    after = position.copy()
    after.play(move)
    return after


def worths(
    position: Position, solver: Solver, window: tuple[int, int] | None = None
) -> dict[int, int]:
    """Returns each legal move's result for the side to move, cut to the window if there is one."""
    if window is None:
        return dict(solver.solve_moves(position))
    low, high = window
    scores = {}
    for move in position.legal_moves():
        after = _after(position, move)
        if after.is_over:
            score = int(after.black_score) * (1 if position.to_move == 0 else -1)
        else:
            score = -solver.solve(after, alpha=-high, beta=-low).score
        scores[move] = max(low, min(score, high))
    return scores
