"""Moves as OGS writes them: two letters from the top left, the letter i included.

A move of the engine is y * width + x, y = 0 at the top; a pass is width * height.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from string import ascii_lowercase, ascii_uppercase

from bots.fields import WireError, integer, mapping, sequence, wrong

LETTERS = ascii_lowercase + ascii_uppercase
PASSING = ".."
COLUMNS = "ABCDEFGHJKLMNOPQRSTUVWXYZ"  # of GTP, without the I


def encode(move: int, width: int, height: int) -> str:
    """Returns the two letters of a move, ".." for a pass."""
    if move == width * height:
        return PASSING
    y, x = divmod(move, width)
    return LETTERS[x] + LETTERS[y]


def read_vertex(vertex: str, width: int, height: int) -> int:
    """Returns the move of a vertex of GTP. Raises WireError on a text without a point.

    >>> read_vertex("D4", 9, 9), read_vertex("pass", 9, 9)
    (48, 81)
    """
    word = vertex.strip().upper()
    if word == "PASS":
        return width * height
    row = word[1:]
    if not (word[:1] in COLUMNS and word and row.isascii() and row.isdigit() and len(row) < 4):
        raise wrong("a move of the engine", "a vertex", vertex)
    return _cell(COLUMNS.index(word[0]), height - int(row), width, height)


def write_vertex(move: int, width: int, height: int) -> str:
    """Returns a move as GTP spells it.

    >>> write_vertex(48, 9, 9), write_vertex(81, 9, 9)
    ('D4', 'pass')
    """
    if move == width * height:
        return "pass"
    return f"{COLUMNS[move % width]}{height - move // width}"


def encode_cells(cells: Iterable[int], width: int) -> str:
    """Returns the letters of cells in rising order, as lists of stones are written."""
    return "".join(LETTERS[cell % width] + LETTERS[cell // width] for cell in sorted(cells))


def decode_cells(letters: str, width: int, height: int) -> list[int]:
    """Returns the cells of a list of stones. Raises WireError on letters off the board."""
    if len(letters) % 2:
        raise WireError(f"a list of stones with half a point: {letters[:40]!a}")
    return [_point(letters[at : at + 2], width, height) for at in range(0, len(letters), 2)]


def decode_move(value: object, width: int, height: int) -> int:
    """Returns a move of [x, y, ...], of {"x": .., "y": ..} or of two letters; -1, -1 is a pass."""
    if isinstance(value, str):
        if value == PASSING:
            return width * height
        if len(value) != 2:
            raise wrong("move", "two letters", value)
        return _point(value, width, height)
    if isinstance(value, dict):
        _refuse_edited(mapping(value, "move"))
        x, y = integer(value.get("x"), "x"), integer(value.get("y"), "y")
    else:
        packed = sequence(value, "move")
        if len(packed) < 2:
            raise wrong("move", "[x, y]", value)
        if len(packed) > 4 and isinstance(packed[4], dict):
            _refuse_edited(packed[4])
        x, y = integer(packed[0], "x"), integer(packed[1], "y")
    return width * height if (x, y) == (-1, -1) else _cell(x, y, width, height)


def decode_moves(value: object, width: int, height: int) -> tuple[int, ...]:
    """Returns the moves of a game's state: an array of moves, or their letters in a row."""
    if value is None:
        return ()
    if isinstance(value, str):
        pairs: Sequence[object] = [value[at : at + 2] for at in range(0, len(value), 2)]
    else:
        pairs = sequence(value, "moves")
    return tuple(decode_move(move, width, height) for move in pairs)


def _point(letters: str, width: int, height: int) -> int:
    return _cell(LETTERS.find(letters[0]), LETTERS.find(letters[1]), width, height)


def _cell(x: int, y: int, width: int, height: int) -> int:
    if not (0 <= x < width and 0 <= y < height):
        raise WireError(f"the point ({x}, {y}) is not on a board of {width}x{height}")
    return y * width + x


def _refuse_edited(move: object) -> None:
    """Raises WireError on a stone that was placed or removed by an editor, out of turn."""
    if mapping(move, "move").get("edited"):
        raise WireError("an edited position cannot be played on")
