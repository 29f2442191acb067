"""One game between two players, and who won it.

Knows the course of a game, the rules through engine._core, and what a fault costs. Does not know
how players are started, nor matches.

Odd ends, all of them:
- A player that crashes, hangs, refuses a legal move, or plays an illegal one loses that game.
- A game that the rules end without result is a draw, and so is one of more than four moves a
  point: under simple ko it may never end.
- After the last pass a result is taken from the first of these that gives one: under rules where
  nobody may pass early (friendly_pass off, area scoring) the area as it stands, every stone alive;
  what both players' final_score say, where they agree; the referee program's final_score; the area
  as it stands.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field

from engine._core import GoPosition
from engine.games import read_vertex, write_vertex
from engine.rules import named_rules
from protocols.engine_process import EngineLostError, EngineRefusedError
from protocols.players import Player, Start

LONGEST_GAME = 4  # moves a point of the board
RESULT = re.compile(r"([BW])\+(\d+(?:\.\d+)?)")
COLOR_NAMES = "BW"


class ForfeitError(Exception):
    """A player loses the game by a fault: crashed, hung, refused or illegal."""

    def __init__(self, color: int, how: str, text: str) -> None:
        super().__init__(text)
        self.color = color
        self.how = how


@dataclass(frozen=True, slots=True)
class Ending:
    """How a game came out. Results are written as in SGF: B+3.5, W+R, B+F (by fault), 0."""

    result: str
    how: str  # score, resign, no result, too long, crashed, hung, refused, illegal
    judge: str = ""  # who counted: area, players, referee
    detail: str = ""

    @property
    def winner(self) -> int | None:
        """The winner's color, 0 Black or 1 White; None for a draw."""
        return None if self.result == "0" else COLOR_NAMES.index(self.result[0])


@dataclass(slots=True)
class Effort:
    """What one side spent on a game; grows as it goes."""

    moves: int = 0
    seconds: float = 0.0
    longest_seconds: float = 0.0
    visits: int = 0
    counted_moves: int = 0  # whose visits the player told


@dataclass(slots=True)
class Game:
    """A game being played: its moves in turn after the opening, and each color's effort."""

    start: Start
    moves: list[str] = field(default_factory=list)
    efforts: tuple[Effort, Effort] = field(default_factory=lambda: (Effort(), Effort()))


class Board:
    """The referee's own board."""

    def __init__(self, start: Start) -> None:
        self.start = start
        self.rules = named_rules(start.rules)
        self.position = GoPosition(start.width, start.height, self.rules, start.komi)
        if start.handicap:
            self.position.setup([(0, self._move(vertex)) for vertex in start.handicap])
            self.position.to_move = 1
        for vertex in start.opening:
            self.play(self.position.to_move, vertex)

    def _move(self, vertex: str) -> int:
        return read_vertex(vertex, self.start.width, self.start.height)

    def play(self, color: int, vertex: str) -> str:
        """The vertex as GTP writes it, now played; raises ValueError for one that is illegal."""
        move = self._move(vertex)
        self.position.play(move, color)
        return write_vertex(move, self.start.width, self.start.height)

    def area_result(self) -> str:
        """The result of the area as it stands, every stone alive."""
        score = self.position.black_score
        return normal_result(f"{'B' if score > 0 else 'W'}+{abs(score)}") or "0"


def normal_result(text: str | None) -> str | None:
    """A counted result in one spelling ("B+3.5", "0"); None for anything else.

    >>> normal_result("W+12.0"), normal_result("B+0.0"), normal_result("cannot score")
    ('W+12', '0', None)
    """
    if text is None:
        return None
    if text.strip() in {"0", "Draw", "jigo"}:
        return "0"
    found = RESULT.match(text.strip())
    if found is None:
        return None
    points = float(found[2])
    return f"{found[1]}+{points:g}" if points else "0"


@contextmanager
def blame(color: int) -> Iterator[None]:
    """Turns an engine's failure into the forfeit of its side."""
    try:
        yield
    except EngineLostError as error:
        raise ForfeitError(color, error.how, str(error)) from error
    except EngineRefusedError as error:
        raise ForfeitError(color, "refused", str(error)) from error


def play_game(
    start: Start, players: Sequence[Player], referee: Player | None = None
) -> tuple[Game, Ending]:
    """The game that `players` (Black, White) played from `start`, and how it ended.

    referee: a program asked for the score where the players don't agree. Its own failure raises
    EngineLostError or EngineRefusedError: that is nobody's fault who plays.
    """
    game = Game(start)
    try:
        return game, _play(game, players, referee)
    except ForfeitError as error:
        winner = COLOR_NAMES[1 - error.color]
        return game, Ending(f"{winner}+F", error.how, detail=str(error))


def _play(game: Game, players: Sequence[Player], referee: Player | None) -> Ending:
    board = Board(game.start)
    for color, player in enumerate(players):
        with blame(color):
            player.begin(game.start)
    for _ in range(LONGEST_GAME * game.start.width * game.start.height):
        color = board.position.to_move
        move = _choose(game, color, players[color])
        if move == "resign":
            return Ending(f"{COLOR_NAMES[1 - color]}+R", "resign")
        try:
            game.moves.append(board.play(color, move))
        except ValueError as error:
            raise ForfeitError(color, "illegal", f"{move!r}: {error}") from error
        with blame(1 - color):
            players[1 - color].watch(color, game.moves[-1])
        if board.position.is_over:
            if move != "pass":
                return Ending("0", "no result")
            return _count(game, board, players, referee)
    return Ending("0", "too long")


def _choose(game: Game, color: int, player: Player) -> str:
    with blame(color):
        move = player.choose(color)
    effort = game.efforts[color]
    effort.moves += 1
    effort.seconds += move.seconds
    effort.longest_seconds = max(effort.longest_seconds, move.seconds)
    effort.visits += sum(move.visits)
    effort.counted_moves += len(move.visits)
    return move.text


def _count(game: Game, board: Board, players: Sequence[Player], referee: Player | None) -> Ending:
    if board.rules.scoring == "AREA" and not board.rules.friendly_pass:
        return Ending(board.area_result(), "score", "area")
    said = []
    for color, player in enumerate(players):
        with blame(color):
            said.append(normal_result(player.final_score()))
    if said[0] is not None and said[0] == said[1]:
        return Ending(said[0], "score", "players")
    detail = f"Black says {said[0]}, White says {said[1]}"
    if referee is not None:
        counted = _ask_referee(game, referee)
        if counted is not None:
            return Ending(counted, "score", "referee", detail)
    return Ending(board.area_result(), "score", "area", detail)


def _ask_referee(game: Game, referee: Player) -> str | None:
    referee.begin(game.start)
    first = 1 if game.start.handicap else 0
    color = (first + len(game.start.opening)) % 2
    for number, move in enumerate(game.moves):
        referee.watch((color + number) % 2, move)
    return normal_result(referee.final_score())
