"""How moves and cells are written in GTP, a row for each game.

Othello's squares and Connect4's columns are spelt as those games spell them, Go's as GTP does.
GoGui draws every game on a board of Go and wants points there: for it a column is written as the
point where the disc comes to lie. Knows no command.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from engine.games.position import Position
from engine.games.table import GAMES, read_square, read_vertex, write_vertex

Read = Callable[[str, Position], int]
Write = Callable[[int, Position], str]


@dataclass(frozen=True, slots=True)
class Spelling:
    """The spelling of one game; what reads raises ValueError quoting a text that it can't."""

    read_move: Read
    read_cell: Read
    read_point: Read  # a move written as a point on GoGui's board, or pass
    write_point: Write
    rows_downwards: bool = False  # the rows count from the top; GoGui draws them upside down


def read_as_written(game: str) -> Read:
    """Reads moves as the game itself spells them."""
    read = GAMES[game].read_move
    return lambda text, position: read(text, position.width, position.height)


def cell_of(read: Callable[[str, int, int], int]) -> Read:
    """Reads cells where moves are cells: any move but a pass."""

    def read_cell(text: str, position: Position) -> int:
        cell = read(text, position.width, position.height)
        if cell == position.pass_move:
            raise ValueError(f"{text!r} is not a cell")
        return cell

    return read_cell


def read_column(text: str, position: Position) -> int:
    """A column as Connect4 spells it, or as the point where a disc would come to lie."""
    try:
        return GAMES["connect4"].read_move(text, position.width, position.height)
    except ValueError:
        cell = cell_of(read_vertex)(text, position)
        column = cell % position.width
        if landing(column, position) != cell:
            raise ValueError(f"no disc comes to lie on {text!r}") from None
        return column


def landing(column: int, position: Position) -> int:
    """The cell where a disc in this column comes to lie; -1 where the column is full."""
    free = int((position.stones[:, column] == 0).sum())
    return (free - 1) * position.width + column if free else -1


def write_landing(move: int, position: Position) -> str:
    """The point where a disc in this column comes to lie."""
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
    """The move with rows counted from the other side."""
    if move == position.pass_move:
        return move
    y, x = divmod(move, position.width)
    return (position.height - 1 - y) * position.width + x


SPELLINGS: dict[str, Spelling] = {
    "go": Spelling(read_as_written("go"), cell_of(read_vertex), read_as_written("go"), write_point),
    "othello": Spelling(
        read_as_written("othello"),
        cell_of(read_square),
        read_square_point,
        write_square_point,
        rows_downwards=True,
    ),
    "connect4": Spelling(read_column, cell_of(read_vertex), read_column, write_landing),
}
