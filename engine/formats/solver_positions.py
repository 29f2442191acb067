"""Positions as text, for solvers: moves from the start, or a board in one line.

There are three forms: a transcript of moves (f5d6c3, 4453); Othello's board of .obf files and Edax
(64 of -XO and the side to move, perhaps with scores of moves after it); Connect4's "digits score"
of Pons's test files. The module also draws random positions. The solvers are in
engine.search.solver.
"""

from __future__ import annotations

import random
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from engine.errors import RecordError
from engine.formats import transcript
from engine.games.position import Position
from engine.games.table import GAMES

_BOARD = re.compile(r"([-._XxBb*Oo0Ww]{16,100})\s+([XxBb*Oo0Ww])\s*;?(.*)")
_SCORED_MOVE = re.compile(r"[A-Ja-j]\d+\s*:\s*([+-]?\d+)")
_MOVES_AND_SCORE = re.compile(r"(\d+)\s+(-?\d+)")
_BLACK, _WHITE = "XxBb*", "Oo0Ww"
COMMENTS = ("%", "#")
TRIES = 10_000  # most games begun for one random position


@dataclass(frozen=True, slots=True)
class SolverPosition:
    """A position, its text for us and for other programs, and its score if known."""

    text: str
    position: Position
    score: int | None = None  # score of the side to move, in the game's points

    @property
    def empties(self) -> int:
        """The number of empty cells."""
        return int((self.position.stones == 0).sum())


@dataclass(frozen=True, slots=True)
class SolverBoard:
    """A game and the size of its board, for reading and writing positions."""

    game: str
    width: int
    height: int

    def start(self) -> Position:
        """Returns the start position."""
        return GAMES[self.game].new_position(self.width, self.height)

    def read(self, text: str) -> SolverPosition:
        """Returns the position of a line. Raises ValueError quoting a line in no known form."""
        line = text.strip()
        if self.game == "othello" and (match := _BOARD.fullmatch(line)):
            return self._read_board(line, match)
        score = None
        if self.game == "connect4" and (match := _MOVES_AND_SCORE.fullmatch(line)):
            line, score = match[1], int(match[2])
        position = self.start()
        try:
            for move in transcript.read(self.game, line, position):
                position.play(move)
        except RecordError as error:
            raise ValueError(f"{text!r} is not a position: {error}") from error
        return SolverPosition(line, position, score)

    def _read_board(self, line: str, match: re.Match[str]) -> SolverPosition:
        cells, side, rest = match.groups()
        if len(cells) != self.width * self.height:
            raise ValueError(
                f"{cells!r} has {len(cells)} squares, the board {self.width * self.height}"
            )
        position = self.start()
        colors = ((0, _BLACK), (1, _WHITE))
        stones = [
            (color, cell)
            for cell, disc in enumerate(cells)
            for color, letters in colors
            if disc in letters
        ]
        position.setup(stones, to_move=0 if side in _BLACK else 1)
        scores = [int(score) for score in _SCORED_MOVE.findall(rest)]
        return SolverPosition(line, position, max(scores, default=None))

    def write(self, position: Position, moves: Sequence[int]) -> str:
        """Returns the position after these moves as one line, readable by other solvers too."""
        if self.game != "othello":
            return transcript.write(self.game, moves, self.start())
        cells = "".join("-XO"[disc] for disc in position.stones.ravel())
        return f"{cells} {'XO'[position.to_move]};"


def read_lines(board: SolverBoard, lines: Iterable[str]) -> Iterator[SolverPosition]:
    """Yields the positions of a file's lines, without empty lines and comments (%, #).

    Raises ValueError with the line's number.
    """
    for number, line in enumerate(lines, 1):
        if not line.strip() or line.lstrip().startswith(COMMENTS):
            continue
        try:
            yield board.read(line)
        except ValueError as error:
            raise ValueError(f"line {number}: {error}") from error


def at_random(
    board: SolverBoard, empties: Sequence[int], count: int, seed: int
) -> list[SolverPosition]:
    """Returns `count` positions for each number of empty cells, reached by random legal moves.

    Positions with a single legal move are included, finished games are not. Raises ValueError if no
    game reaches a number.
    """
    rng = random.Random(seed)  # noqa: S311 - not for secrets
    return [_drawn(board, wanted, rng) for wanted in empties for _ in range(count)]


def _drawn(board: SolverBoard, empties: int, rng: random.Random) -> SolverPosition:
    for _ in range(TRIES):
        position, moves = board.start(), list[int]()
        while not position.is_over and int((position.stones == 0).sum()) > empties:
            moves.append(rng.choice(position.legal_moves()))
            position.play(moves[-1])
        problem = SolverPosition(board.write(position, moves), position)
        if not position.is_over and problem.empties == empties:
            return problem
    raise ValueError(f"no game came to {empties} empty cells in {TRIES} tries")
