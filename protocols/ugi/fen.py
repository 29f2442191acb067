"""UGI's boards after `position fen`: rows from the top, then the side to move.

    3xo3/3ox3 ... x        x is the first color, o the second, a number so many empty cells

The games' other letters of colors are read too: b and w, r and y, * and O. Text behind the side to
move, such as move counters, is ignored.
"""

from __future__ import annotations

import re

from engine.errors import RecordError
from engine.games.position import Position
from engine.games.table import GAMES

COLORS = {"x": 0, "b": 0, "r": 0, "*": 0, "o": 1, "w": 1, "y": 1}
EMPTY = {".", "-", "_"}
QUOTED = 60  # characters of a board repeated in an error
_PIECE = re.compile(r"[0-9]{1,2}|.", re.ASCII)


def read(game: str, text: str) -> Position:
    """Returns the position of a text. Raises RecordError with the faulty part."""
    board, *rest = text.split() or [""]
    rows = [_row(row) for row in board.split("/")]
    width, height = len(rows[0]), len(rows)
    kind = GAMES[game]
    if any(len(row) != width for row in rows) or not kind.fits(width, height):
        raise RecordError(f"{_quoted(board)} is no board of {kind.title}: {kind.sizes}")
    side = rest[0].lower() if rest else "x"
    if side not in COLORS:
        raise RecordError(f"{_quoted(rest[0])} is no side to move: x or o")
    stones = [
        (color, y * width + x)
        for y, row in enumerate(rows)
        for x, color in enumerate(row)
        if color is not None
    ]
    position = kind.new_position(width, height)
    try:
        position.setup(stones, COLORS[side])
    except ValueError as error:
        raise RecordError(f"{_quoted(board)}: {error}") from error
    return position


def write(position: Position) -> str:
    """Writes a position for `read`."""
    rows = ("".join(".xo"[stone] for stone in row) for row in position.stones.tolist())
    board = "/".join(re.sub(r"\.+", lambda run: str(len(run[0])), row) for row in rows)
    return f"{board} {'xo'[position.to_move]}"


def _row(text: str) -> list[int | None]:
    """Returns the cells of a row, None for an empty one."""
    cells: list[int | None] = []
    for piece in _PIECE.findall(text):
        if piece.isdecimal():
            cells += [None] * int(piece)
        elif piece in EMPTY:
            cells.append(None)
        elif piece.lower() in COLORS:
            cells.append(COLORS[piece.lower()])
        else:
            raise RecordError(f"{_quoted(text)} is no row of a board: {piece!r}")
    return cells


def _quoted(text: str) -> str:
    return repr(text if len(text) <= QUOTED else f"{text[:QUOTED]}...")
