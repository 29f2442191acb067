"""Games of pieces as the page shows them: the board in letters, moves as people write them.

The letters are those of FEN in chess and of the tournaments' notation in dark chess: capitals for
White and Red. Other games have stones, and no row of PICTURES.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from engine.games import dark_chess
from engine.games.game import Game
from engine.games.game_record import GameRecord
from engine.games.position import Position
from engine.games.table import GAMES

EMPTY = "."
LETTERS = ("KQRBNP" + dark_chess.KINDS, "kqrbnp" + dark_chess.KINDS.lower())
SIDES = tuple(letters.__contains__ for letters in LETTERS)  # White or Red, and Black
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
}


class PieceLog:
    """The moves of one game as people write them, and its boards. Used by one thread.

    A longer game costs its new moves alone.
    """

    def __init__(self) -> None:
        self._moves: tuple[tuple[int, int], ...] = ()
        self._position: Position | None = None  # after these moves
        self._written: list[str] = []
        self._boards: list[list[str]] = []  # before each move and at the end

    def view(self, game: Game) -> dict[str, Any] | None:
        """Returns the pieces of a game for the message `state`; None for a game of stones.

        `captured` has the letters of the pieces that player 0 and 1 have taken.
        """
        picture = PICTURES.get(game.name)
        if picture is None:
            return None
        self._follow(picture, game.record)
        sides = [picture.side(game.position, player) for player in (0, 1)]
        return {
            "rows": self._boards[-1],
            "check": picture.check(game.position),
            "sides": sides,
            "captured": [_captured(self._boards, side) for side in reversed(sides)],
            "written": self._written,
        }

    def _follow(self, picture: PieceGame, record: GameRecord) -> None:
        """Goes to the end of the record."""
        if self._position is None or record.moves[: len(self._moves)] != self._moves:
            self._position, self._written = record.beginning(), []
            self._moves, self._boards = (), [picture.rows(self._position)]
        for color, move in record.moves[len(self._moves) :]:
            self._written.append(picture.write(self._position, move))
            self._position.play(move, color, tolerant=True)
            self._boards.append(picture.rows(self._position))
        self._moves = record.moves


def _captured(boards: list[list[str]], side: int) -> str:
    """Returns the pieces of a side that were taken, in the order of their captures."""
    if side == UNKNOWN_SIDE:
        return ""
    counts = [Counter(filter(SIDES[side], "".join(board))) for board in boards]
    return "".join(
        "".join((before - after).elements())
        for before, after in pairwise(counts)
        if not after - before  # a promotion takes a pawn off the board too
    )


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
