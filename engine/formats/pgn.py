"""Games of chess as PGN, read and written by python-chess.

The standard is Edwards's of 1994; the tags FEN, SetUp and Variant hold another start and Chess960.
Comments and variations of a file are ignored.
"""

from __future__ import annotations

import io
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import chess
import chess.pgn

from engine.errors import RecordError
from engine.games.chess_game import write_uci
from engine.games.chess_position import ChessPosition
from engine.games.game_settings import PlainSettings
from engine.games.position import placed_stones

CHESS960 = "Chess960"
UNKNOWN_RESULT = "*"
TAG = "["
MOST_CHARACTERS = 10_000_000  # of a file


@dataclass(frozen=True, slots=True)
class PgnGame:
    """One game of a file. Satisfies engine.games.game_settings.GameInFile."""

    start: ChessPosition
    played: tuple[int, ...]  # the numbers of the moves, in turn
    result: str = UNKNOWN_RESULT  # 1-0, 0-1, 1/2-1/2 or *
    tags: Mapping[str, str] = field(default_factory=dict)  # all others but FEN, SetUp, Variant

    @property
    def width(self) -> int:
        """Columns of the board."""
        return self.start.width

    @property
    def height(self) -> int:
        """Rows of the board."""
        return self.start.height

    @property
    def game_settings(self) -> PlainSettings:
        """The settings of chess."""
        return PlainSettings("chess")

    @property
    def setup(self) -> Sequence[tuple[int, int]]:
        """The start as ChessPosition.setup takes it; empty: the usual start."""
        usual = self.start.fen == chess.STARTING_FEN and not self.start.is_chess960
        return () if usual else tuple(placed_stones(self.start))

    @property
    def first_to_move(self) -> int:
        """The color to move at the start."""
        return self.start.to_move

    @property
    def moves(self) -> Sequence[tuple[int, int]]:
        """The moves played, as (color, move)."""
        first = self.start.to_move
        return [((first + number) % 2, move) for number, move in enumerate(self.played)]


def read(text: str) -> list[PgnGame]:
    """Returns the games of a file.

    Raises RecordError on a text without a game, an illegal move, or another variant of chess.
    """
    if len(text) > MOST_CHARACTERS:
        raise RecordError(f"the file has more than {MOST_CHARACTERS} characters")
    games: list[PgnGame] = []
    file = io.StringIO(text)
    while (game := _next(file)) is not None:
        games.append(_game_of(game, len(games) + 1))
    if not games or not (games[0].played or TAG in text):  # any word makes a game without moves
        raise RecordError("the text holds no game in PGN")
    return games


def _next(file: io.StringIO) -> chess.pgn.Game | None:
    try:
        return chess.pgn.read_game(file)
    except ValueError as error:
        raise RecordError(f"not a game of chess: {error}") from error


def _game_of(game: chess.pgn.Game, number: int) -> PgnGame:
    if game.errors:
        raise RecordError(f"game {number}: {game.errors[0]}")
    variant = game.headers.get("Variant", "Standard")
    board = game.board()
    if type(board) is not chess.Board:
        raise RecordError(f"game {number}: the variant {variant!r} is not chess")
    try:
        start = ChessPosition(board.fen(), chess960=bool(board.chess960))
    except ValueError as error:
        raise RecordError(f"game {number}: {error}") from error
    position, played = start.copy(), []
    for move in game.mainline_moves():
        played.append(position.read_move(move.uci()))
        position.play(played[-1])
    own = {"FEN", "SetUp", "Variant", "Result"}
    tags = {name: value for name, value in game.headers.items() if name not in own}
    return PgnGame(start, tuple(played), game.headers.get("Result", UNKNOWN_RESULT), tags)


def write(games: Sequence[PgnGame]) -> str:
    """Returns the text of games, with the moves in standard algebraic notation."""
    return "\n\n".join(str(_written(game)) for game in games) + "\n"


def _written(game: PgnGame) -> chess.pgn.Game:
    board = game.start.board
    for move in game.played:
        board.push_uci(write_uci(move))
    written = chess.pgn.Game.from_board(board)
    for name, value in game.tags.items():
        written.headers[name] = value
    written.headers["Result"] = game.result
    return written
