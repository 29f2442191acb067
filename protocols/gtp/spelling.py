"""The spelling of moves and cells in GTP, a row for each game.

Othello's squares and Connect4's columns have their own spelling, Go's points that of GTP. GoGui
draws every game on a board of Go and needs points; a column becomes the point of the disc's
landing.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from engine.games.einstein import read_cell
from engine.games.position import Position
from engine.games.table import GAMES, read_square, read_vertex, write_vertex
from protocols.gtp.arguments import BLACK_FIRST, WHITE_FIRST, Colors

Read = Callable[[str, Position], int]
Write = Callable[[int, Position], str]


@dataclass(frozen=True, slots=True)
class Spelling:
    """The spelling of one game; readers raise ValueError with the text."""

    read_move: Read
    read_cell: Read
    read_point: Read  # a move written as a point on GoGui's board, or pass
    write_point: Write
    rows_downwards: bool = False  # the rows count from the top; GoGui draws them upside down
    colors: Colors = BLACK_FIRST


def read_as_written(game: str) -> Read:
    """Returns a reader of moves in the game's own spelling."""
    read = GAMES[game].read_move
    return lambda text, position: read(text, position.width, position.height)


def cell_of(read: Callable[[str, int, int], int]) -> Read:
    """Returns a reader of cells for games with cells as moves: any move but a pass."""

    def read_cell(text: str, position: Position) -> int:
        cell = read(text, position.width, position.height)
        if cell == position.pass_move:
            raise ValueError(f"{text!r} is not a cell")
        return cell

    return read_cell


def read_column(text: str, position: Position) -> int:
    """Reads a column in Connect4's spelling, or as the point of the disc's landing."""
    try:
        return GAMES["connect4"].read_move(text, position.width, position.height)
    except ValueError:
        cell = cell_of(read_vertex)(text, position)
        column = cell % position.width
        if landing(column, position) != cell:
            raise ValueError(f"no disc comes to lie on {text!r}") from None
        return column


def landing(column: int, position: Position) -> int:
    """Returns the cell of a disc's landing in this column; -1 for a full column."""
    free = int((position.stones[:, column] == 0).sum())
    return (free - 1) * position.width + column if free else -1


def write_landing(move: int, position: Position) -> str:
    """Writes a column as the point of the disc's landing."""
    return write_vertex(landing(move, position), position.width, position.height)


def write_point(move: int, position: Position) -> str:
    """A move of Go as a point."""
    return write_vertex(move, position.width, position.height)


def read_square_point(text: str, position: Position) -> int:
    """A move of Othello from a point: GoGui has no column I."""
    return upside_down(read_vertex(text, position.width, position.height), position)


def write_square_point(move: int, position: Position) -> str:
    """A move of Othello as a point."""
    return write_vertex(upside_down(move, position), position.width, position.height)


def upside_down(move: int, position: Position) -> int:
    """Returns the move with rows counted from the other side."""
    if move == position.pass_move:
        return move
    y, x = divmod(move, position.width)
    return (position.height - 1 - y) * position.width + x


read_action = read_as_written("darkchess")


def read_face_down(text: str, position: Position) -> int:
    """Reads a square of dark chess as the cell of its flip."""
    return read_action(f"{text.strip()}(?)", position)


def write_action(move: int, position: Position) -> str:
    """A move of dark chess in its own spelling: no board of Go shows it."""
    return GAMES["darkchess"].write_move(move, position.width, position.height)


def read_einstein_cell(text: str, _position: Position) -> int:
    """Reads a square of EinStein würfelt nicht as its cell."""
    return read_cell(text)


def write_einstein_action(move: int, position: Position) -> str:
    """A move of EinStein würfelt nicht in its own spelling."""
    return GAMES["einstein"].write_move(move, position.width, position.height)


read_einstein_action = read_as_written("einstein")


def read_chess(text: str, position: Any) -> int:  # noqa: ANN401 (python-chess is optional)
    """Reads a move of chess: a legal one in the notation of UCI or of PGN, castling in either form.

    An illegal move in the notation of UCI is returned as it is.
    """
    try:
        return int(position.read_move(text))
    except ValueError:
        return GAMES["chess"].read_move(text, position.width, position.height)


def no_cell(text: str, _position: Position) -> int:
    """Raises ValueError: a move of chess has two squares."""
    raise ValueError(f"{text!r} is not a cell")


def write_chess(move: int, position: Position) -> str:
    """A move of chess in the notation of UCI."""
    return GAMES["chess"].write_move(move, position.width, position.height)


SPELLINGS: dict[str, Spelling] = {
    "go": Spelling(read_as_written("go"), cell_of(read_vertex), read_as_written("go"), write_point),
    "othello": Spelling(
        read_as_written("othello"),
        cell_of(read_square),
        read_square_point,
        write_square_point,
        rows_downwards=True,
    ),
    "chess": Spelling(read_chess, no_cell, read_chess, write_chess, colors=WHITE_FIRST),
    "darkchess": Spelling(read_action, read_face_down, read_action, write_action),
    "einstein": Spelling(
        read_einstein_action, read_einstein_cell, read_einstein_action, write_einstein_action
    ),
    "connect4": Spelling(read_column, cell_of(read_vertex), read_column, write_landing),
}
