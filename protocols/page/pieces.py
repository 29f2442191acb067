"""Games of pieces as the page shows them: the board in letters, moves as people write them.

The letters are those of FEN in chess and of the tournaments' notation in dark chess: capitals for
White and Red. The pieces 1 to 6 of EinStein are A to F for Red, a to f for Blue. Other games have
stones, and no row of PICTURES.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from engine.games import dark_chess, einstein
from engine.games.game import Game
from engine.games.game_record import GameRecord
from engine.games.position import Position
from engine.games.table import GAMES

EMPTY = "."
NUMBERED = "ABCDEFabcdef"  # the pieces of EinStein by code
LETTERS = "KQRBNP" + dark_chess.KINDS + NUMBERED[: einstein.NUMBERS]
# White or Red, and Black or Blue.
SIDES = tuple(letters.__contains__ for letters in (LETTERS, LETTERS.lower()))
UNKNOWN_SIDE = -1  # of a player of dark chess before the first flip
SIDE_NAMES = ("Red", "Black")  # of dark chess


@dataclass(frozen=True, slots=True)
class PieceGame:
    """The parts of one game of pieces that differ from another's. position: of this game."""

    rows: Callable[[Any], list[str]]  # position -> the board in letters, the top row first
    write: Callable[[Any, int], str]  # (position before a move, move) -> the move for people
    check: Callable[[Any], str]  # position -> the square of a king in check; empty: none
    side: Callable[[Any, int], int]  # (position, player) -> its side; UNKNOWN_SIDE: none yet


def _chess_rows(position: Any) -> list[str]:  # noqa: ANN401 (python-chess is an optional module)
    numbers = {str(number): EMPTY * number for number in range(1, 9)}
    board = position.fen.split()[0]
    return ["".join(numbers.get(sign, sign) for sign in row) for row in board.split("/")]


def _chess_check(position: Any) -> str:  # noqa: ANN401 (the same)
    board = position.board
    king = board.king(board.turn)
    return f"{'abcdefgh'[king % 8]}{king // 8 + 1}" if board.is_check() else ""


def _dark_chess_rows(position: Any) -> list[str]:  # noqa: ANN401 (one kind of position)
    *rows, _pool = dark_chess.picture(position).split("\n")
    return [row.replace(dark_chess.EMPTY, EMPTY) for row in rows]


def _einstein_rows(position: Any) -> list[str]:  # noqa: ANN401 (one kind of position)
    cells = "".join(NUMBERED[piece] if piece >= 0 else EMPTY for piece in position.pieces.flat)
    return [cells[at : at + einstein.SIZE] for at in range(0, len(cells), einstein.SIZE)]


PICTURES: Mapping[str, PieceGame] = {
    "chess": PieceGame(
        rows=_chess_rows,
        write=lambda position, move: str(position.san(move)),
        check=_chess_check,
        side=lambda _position, player: player,
    ),
    "darkchess": PieceGame(
        rows=_dark_chess_rows,
        write=lambda position, move: dark_chess.write_action(move, position.width, position.height),
        check=lambda _position: "",
        side=lambda position, player: int(position.color_of_player(player)),
    ),
    "einstein": PieceGame(
        rows=_einstein_rows,
        write=einstein.described,
        check=lambda _position: "",
        side=lambda _position, player: player,
    ),
}


class PieceLog:
    """The moves of one game as people write them, and its boards. Used by one thread.

    A longer game costs its new moves alone.
    """

    def __init__(self) -> None:
        self._moves: tuple[tuple[int, int], ...] = ()
        self._position: Position | None = None  # after these moves
        self._written: list[str] = []
        self._captured = ["", ""]  # letters of the pieces that player 0 and 1 have taken
        self._rows: list[str] = []  # at the end

    def view(self, game: Game) -> dict[str, Any] | None:
        """Returns the pieces of a game for the message `state`; None for a game of stones.

        `captured` has the letters of the pieces that player 0 and 1 have taken, own ones too in
        EinStein.
        """
        picture = PICTURES.get(game.name)
        if picture is None:
            return None
        self._follow(picture, game.record)
        return {
            "rows": self._rows,
            "check": picture.check(game.position),
            "sides": [picture.side(game.position, player) for player in (0, 1)],
            "captured": list(self._captured),
            "written": self._written,
        }

    def _follow(self, picture: PieceGame, record: GameRecord) -> None:
        """Goes to the end of the record."""
        if self._position is None or record.moves[: len(self._moves)] != self._moves:
            self._position, self._written = record.beginning(), []
            self._moves, self._captured = (), ["", ""]
            self._rows = picture.rows(self._position)
        for color, move in record.moves[len(self._moves) :]:
            before = self._rows
            self._written.append(picture.write(self._position, move))
            self._position.play(move, color, tolerant=True)
            self._rows = picture.rows(self._position)
            self._captured[color] += _taken(before, self._rows)
        self._moves = record.moves


def _taken(before: list[str], after: list[str]) -> str:
    """Returns the pieces that a move has taken off the board."""
    taken = ""
    for is_of_side in SIDES:
        old, new = (Counter(filter(is_of_side, "".join(rows))) for rows in (before, after))
        if not new - old:  # a promotion takes a pawn off the board too
            taken += "".join((old - new).elements())
    return taken


def move_text(game: Game, move: int) -> str:
    """Returns a move of the present position as people write it."""
    picture = PICTURES.get(game.name)
    if picture is None:
        return game.kind.write_move(move, game.width, game.height)
    return picture.write(game.position, move)


def rows_of(game: str, position: Position) -> list[str] | None:
    """Returns the board in letters; None for a game of stones."""
    picture = PICTURES.get(game)
    return None if picture is None else picture.rows(position)


def colors_of(game: Game) -> tuple[str, str]:
    """Returns the names of player 0 and 1: in dark chess Red and Black once the first flip is made.

    Before it they are the first and the second player.
    """
    if game.name != "darkchess":
        return GAMES[game.name].colors
    sides = [PICTURES[game.name].side(game.position, player) for player in (0, 1)]
    if UNKNOWN_SIDE in sides:
        return game.kind.colors
    return SIDE_NAMES[sides[0]], SIDE_NAMES[sides[1]]
