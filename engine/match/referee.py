"""One game between two players, and its winner.

The referee gives the players their turns, applies the rules by a Position, and penalizes faults.
The players are running already.

Odd ends, all of them:
- A player that crashes, hangs, refuses a legal move, or plays an illegal one loses the game.
- A forced pass (Othello) is played without a question; both players are told.
- A game without result under its rules is a draw, and so is a game of more than four moves a
  point: under simple ko it may never end.
- In a game of chance the referee draws the outcome of a move, and reports it to both players.
- In dark chess the second illegal move loses; after the first the player is asked again.
- In Go, after the last pass, the result comes from the first source with an answer: under rules
  without early passes (friendly_pass off, area scoring) the area of the board, every stone alive;
  both players' final_score, if they agree; the referee's final_score (this engine's, unless a
  program is named); the area of the board.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field

from engine.games.chance import without_outcome
from engine.games.go_count import counts_as_it_stands
from engine.games.position import Position
from engine.games.rules import named_rules
from engine.match.game_spec import GameSpec
from engine.match.player import Player, TakingOutcomes, UnreadableMoveError
from engine.util.engine_process import EngineLostError, EngineRefusedError

LONGEST_GAME = 4  # moves a point of the board
LONGEST_GAMES = {"chess": 16, "darkchess": 100}  # of games that end by their own rules
FAULTS = {"darkchess": 2}  # illegal moves that lose a game, by game; 1 in the others
RESULT = re.compile(r"([BW])\+(\d+(?:\.\d+)?)")
TIME_DIGITS = 6  # decimals of the seconds of a move
LEVEL_DIGITS = 1  # decimals of the Elo of a move's level


class ForfeitError(Exception):
    """A player loses the game by a fault: crashed, hung, refused or illegal."""

    def __init__(self, color: int, how: str, text: str) -> None:
        super().__init__(text)
        self.color = color
        self.how = how


@dataclass(frozen=True, slots=True)
class Ending:
    """The end of a game. Results are written as in SGF: B+3.5, W+R, B+F (by fault), 0.

    Connect4's letters are R and Y, EinStein's R and B, those of chess W and B, and those of dark
    chess F and S, the first and second player.
    """

    result: str
    how: str  # score, resign, no result, too long, crashed, hung, refused, illegal
    winner: int | None  # color, 0 or 1; None for a draw
    judge: str = ""  # the source of the count: rules; in Go area, players, referee
    detail: str = ""


@dataclass(slots=True)
class MoveEffort:
    """One side's cost of a game so far."""

    moves: int = 0
    seconds: float = 0.0
    longest_seconds: float = 0.0
    visits: int = 0
    counted_moves: int = 0  # moves with reported visits


@dataclass(slots=True)
class PlayedGame:
    """A game being played: its moves in turn after the opening, and each color's effort."""

    start: GameSpec
    position: Position
    moves: list[int] = field(default_factory=list)
    seconds: list[float] = field(default_factory=list)  # time of each move; 0 for a forced pass
    levels: list[float | None] = field(default_factory=list)  # Elo of each move's level, if any
    faults: list[int] = field(default_factory=lambda: [0, 0])  # illegal moves of each color
    efforts: tuple[MoveEffort, MoveEffort] = field(
        default_factory=lambda: (MoveEffort(), MoveEffort())
    )

    def won_by(self, color: int, points: str) -> str:
        """Returns the result as text, for a win by `points`, R or F."""
        return f"{self.start.kind.colors[color][0]}+{points}"

    def ended(self, result: str, how: str, judge: str = "", detail: str = "") -> Ending:
        """Returns the ending with this result; its first letter names the winner's color."""
        letters = [name[0] for name in self.start.kind.colors]
        winner = None if result == "0" else letters.index(result[0])
        return Ending(result, how, winner, judge, detail)

    def score_result(self) -> str:
        """Returns the result of the present board; in Go with every stone alive."""
        score = self.position.black_score
        return self.won_by(0 if score > 0 else 1, f"{abs(score):g}") if score else "0"


def normal_result(text: str | None) -> str | None:
    """Returns a counted result of Go in one spelling ("B+3.5", "0"); None for anything else.

    >>> normal_result("W+12.0"), normal_result("B+0.0"), normal_result("cannot score")
    ('W+12', '0', None)
    """
    if text is None:
        return None
    if text.strip() in {"0", "Draw", "jigo"}:
        return "0"
    match = RESULT.match(text.strip())
    if match is None:
        return None
    points = float(match[2])
    return f"{match[1]}+{points:g}" if points else "0"


@contextmanager
def blame(color: int) -> Iterator[None]:
    """Turns an engine's failure into the forfeit of its side."""
    try:
        yield
    except EngineLostError as error:
        raise ForfeitError(color, error.how, str(error)) from error
    except EngineRefusedError as error:
        raise ForfeitError(color, "refused", str(error)) from error
    except UnreadableMoveError as error:
        raise ForfeitError(color, "illegal", str(error)) from error


def play_game(
    start: GameSpec,
    players: Sequence[Player],
    seeds: Sequence[int] = (0, 0),
    referee: Callable[[], Player] | None = None,
) -> tuple[PlayedGame, Ending]:
    """Plays a game from `start` between `players` (color 0, 1); returns it and its end.

    referee: returns the player to ask for the score after a disagreement. A failure of the referee
    raises EngineLostError or EngineRefusedError: it is no player's fault.
    """
    game = PlayedGame(start, start.position())
    try:
        ending = _play(game, players, seeds, referee)
    except ForfeitError as error:
        return game, game.ended(game.won_by(1 - error.color, "F"), error.how, detail=str(error))
    for player in players:
        player.finish(game.position, ending.winner)
    return game, ending


def _play(
    game: PlayedGame,
    players: Sequence[Player],
    seeds: Sequence[int],
    referee: Callable[[], Player] | None,
) -> Ending:
    position = game.position
    for color, player in enumerate(players):
        with blame(color):
            player.begin(game.start, seeds[color])
    longest = LONGEST_GAMES.get(game.start.game, LONGEST_GAME)
    for _ in range(longest * game.start.width * game.start.height):
        if position.is_over:
            break
        color = position.to_move
        if game.start.passes_are_forced and position.is_legal(position.pass_move):
            _pass(game, players)
            continue
        move = _choose(game, color, players[color])
        if move is None:
            return game.ended(game.won_by(1 - color, "R"), "resign")
        with blame(1 - color):
            players[1 - color].watch(color, move)
    if not position.is_over:
        return game.ended("0", "too long")
    if game.start.game == "go":
        return _count(game, players, referee)
    return game.ended(game.score_result(), "score", "rules")


def _pass(game: PlayedGame, players: Sequence[Player]) -> None:
    color, move = game.position.to_move, game.position.pass_move
    game.position.play(move)
    game.moves.append(move)
    game.seconds.append(0.0)
    game.levels.append(None)
    for index, player in enumerate(players):
        with blame(index):
            player.watch(color, move)


def _choose(game: PlayedGame, color: int, player: Player) -> int | None:
    """Plays the player's move and returns it; None for a resignation."""
    try:
        made = player.choose(game.position)
    except (EngineLostError, EngineRefusedError, UnreadableMoveError):
        with blame(color):
            raise
    effort = game.efforts[color]
    effort.moves += 1
    effort.seconds += made.seconds
    effort.longest_seconds = max(effort.longest_seconds, made.seconds)
    effort.visits += sum(made.visits)
    effort.counted_moves += len(made.visits)
    if made.move is None:
        return None
    if not game.position.is_legal(made.move):
        game.faults[color] += 1
        if game.faults[color] < FAULTS.get(game.start.game, 1):
            return _choose(game, color, player)
    try:
        move = _with_outcome(game, made.move)
        game.position.play(move)
    except ValueError as error:
        text = game.start.write(made.move)
        raise ForfeitError(color, "illegal", f"{text!r}: {error}") from error
    if move != made.move and isinstance(player, TakingOutcomes):
        with blame(color):
            player.reveal(color, move)
    game.moves.append(move)
    game.seconds.append(round(made.seconds, TIME_DIGITS))
    game.levels.append(None if made.level_elo is None else round(made.level_elo, LEVEL_DIGITS))
    return move


def _with_outcome(game: PlayedGame, move: int) -> int:
    """Returns a legal move with its outcome. Raises ValueError for an outcome of a player's own."""
    draw = game.start.draw
    if draw is None:
        return move
    if without_outcome(game.position, move) != move:
        raise ValueError("the outcome is the referee's to draw")
    return draw(game.position, move)


def _count(
    game: PlayedGame, players: Sequence[Player], referee: Callable[[], Player] | None
) -> Ending:
    if game.moves and game.moves[-1] != game.position.pass_move:
        return game.ended("0", "no result")
    if counts_as_it_stands(named_rules(game.start.rules)):
        return game.ended(game.score_result(), "score", "area")
    said = []
    for color, player in enumerate(players):
        with blame(color):
            said.append(normal_result(player.final_score()))
    if said[0] is not None and said[0] == said[1]:
        return game.ended(said[0], "score", "players")
    detail = f"Black says {said[0]}, White says {said[1]}"
    if referee is not None:
        counted = counted_by(referee(), game.start, game.moves)
        if counted is not None:
            return game.ended(counted, "score", "referee", detail)
    return game.ended(game.score_result(), "score", "area", detail)


def counted_by(referee: Player, start: GameSpec, moves: Sequence[int]) -> str | None:
    """Returns the result of a game of Go as another player counts it, in one spelling.

    moves: in turn, after the opening. None if it has no count. Raises EngineRefusedError,
    EngineLostError.
    """
    referee.begin(start, 0)
    first = 1 if start.handicap else 0
    color = (first + len(start.opening)) % 2
    for number, move in enumerate(moves):
        referee.watch((color + number) % 2, move)
    return normal_result(referee.final_score())
