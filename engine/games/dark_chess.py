"""Chinese dark chess: its boards, pieces and notation, and pictures of its boards.

The rules are in engine/core/darkchess. Squares are a column's letter and a row's number, a1 at the
bottom left. A move is `a4-a5`, a flip `b3(?)`, and a flip with its outcome `b3(n)`; Red's pieces
are in capitals, Black's are not.
"""

from __future__ import annotations

import random
import re
from collections import Counter

from engine._core import DarkChessPosition
from engine.games.chance import Draw, drawn, is_complete, outcomes
from engine.games.game_kind import GameKind
from engine.games.position import Position

KINDS = "KGMRNCP"  # king, guard, minister, rook, knight, cannon, pawn, in order of rank
PIECES = KINDS + KINDS.lower()  # by code: color * 7 + kind
FACE_DOWN, EMPTY = "X", "-"  # as in the clients of the tournaments
USUAL_MATERIAL = "KGGMMRRNNCCPPPPP"
MATERIAL = {(4, 8): USUAL_MATERIAL, (2, 4): "PPPP"}  # of each side, by width and height
# The materials of 2x4 up to equal captures: table 3 of Hsueh's thesis (2019), its misprints mended.
SETS_2X4 = (
    "KGGM KGGC KGGP KGMM KGMR KGMC KGMP KGCC KGCP KCCP KCPP KPPP "
    "GGMM GGMR GGMC GGCC GGCP GMCP GCCP GCPP GPPP CCPP CPPP PPPP"
).split()
_COLUMNS = "abcdefgh"
_ACTION = re.compile(r"([a-h])([1-9])(?:-([a-h])([1-9])|\((.)\))", re.ASCII | re.IGNORECASE)


def counts_of(material: str) -> list[int]:
    """Returns the pieces of each kind, [7], of a text such as "KGGM", in any case.

    Raises ValueError quoting a text with another letter.

    >>> counts_of("KGGM")
    [1, 2, 1, 0, 0, 0, 0]
    """
    letters = Counter(material.upper())
    if not material or not letters.keys() <= set(KINDS):
        raise ValueError(f"{material!r} is no material: letters of {KINDS}")
    return [letters[kind] for kind in KINDS]


def new_position(
    width: int, height: int, material: str = "", *, quiet_limit: int = 40, repetitions: int = 3
) -> DarkChessPosition:
    """Returns the start on a board of this size; material: of each side, by default the usual one.

    quiet_limit: moves without capture or flip that make a draw; repetitions: occurrences of one
    position to a draw; 0: no such rule. Raises ValueError on a size without a usual
    material, or a material that does not fill the board.
    """
    material = material or MATERIAL.get((width, height), "")
    if not material:
        raise ValueError(f"no dark chess on {width}x{height}: there are 4x8 and 2x4")
    counts = counts_of(material)
    return DarkChessPosition(
        width, height, counts, quiet_limit=quiet_limit, repetitions=repetitions
    )


def write_cell(cell: int, width: int, height: int) -> str:
    """Returns the square of a cell: "a8" is the top left cell of 4x8."""
    return f"{_COLUMNS[cell % width]}{height - cell // width}"


def _move_of(start: int, end: int, width: int, height: int) -> int | None:
    """Returns the number of a move between two cells of a line, None without a line."""
    x, y, column, row = start % width, start // width, end % width, end // width
    if start == end or (x != column and y != row):
        return None
    index = column - (column > x) if y == row else width - 1 + row - (row > y)
    return width * height + start * (width + height - 2) + index


def ends_of(move: int, width: int, height: int) -> tuple[int, int]:
    """Returns the first and the last cell of a move without its outcome; of a flip the same."""
    cells, lines = width * height, width + height - 2
    if move < cells:
        return move, move
    start, index = divmod(move - cells, lines)
    x, y = start % width, start // width
    if index < width - 1:
        return start, y * width + index + (index >= x)
    row = index - (width - 1)
    return start, (row + (row >= y)) * width + x


def write_action(move: int, width: int, height: int) -> str:
    """Returns a move, or a played move with its outcome, as text; ValueError on another number."""
    cells, lines = width * height, width + height - 2
    count = cells * (1 + lines)
    if not 0 <= move < count * (1 + len(PIECES)):
        raise ValueError(f"{move!r} is not a move of a {width}x{height} board")
    outcome, action = divmod(move, count)
    if action < cells:
        return f"{write_cell(action, width, height)}({PIECES[outcome - 1] if outcome else '?'})"
    start, end = ends_of(action, width, height)
    return f"{write_cell(start, width, height)}-{write_cell(end, width, height)}"


def read_action(text: str, width: int, height: int) -> int:
    """Returns the move of a text; that of a flip with its outcome is a played move.

    The case of squares does not matter. Raises ValueError quoting a text without a move.
    """
    match = _ACTION.fullmatch(text.strip())
    if match is None:
        raise ValueError(f"{text!r} is not a move: a move such as a4-a5, or a flip such as b3(?)")
    start = _cell_of(match[1], match[2], width, height)
    if match[5] is not None:
        code = PIECES.find(match[5])
        if start is None or (code < 0 and match[5] != "?"):
            raise ValueError(f"{text!r} is not a flip on the {width}x{height} board")
        return start + width * height * (width + height - 1) * (1 + code)
    end = _cell_of(match[3], match[4], width, height)
    move = None if start is None or end is None else _move_of(start, end, width, height)
    if move is None:
        raise ValueError(f"{text!r} is not a move along a line of the {width}x{height} board")
    return move


def _cell_of(letter: str, digit: str, width: int, height: int) -> int | None:
    x, y = _COLUMNS.index(letter.lower()), height - int(digit)
    return y * width + x if 0 <= x < width and 0 <= y < height else None


def picture(position: DarkChessPosition) -> str:
    """Returns the board in letters, the top row first, and a last line such as "red KKgp".

    It names the color to move, or "unknown", and the unrevealed pieces.
    """
    letters = [*PIECES, FACE_DOWN, EMPTY]  # the last one for -1
    rows = ["".join(letters[piece] for piece in row) for row in position.pieces]
    color = ("red", "black", "unknown")[position.color_of_player(position.to_move)]
    pool = "".join(letter * count for letter, count in zip(PIECES, position.pool, strict=True))
    return "\n".join([*rows, f"{color} {pool}".strip()])


def rows(position: DarkChessPosition) -> list[str]:
    """Returns the board in letters with its squares, the top row first and the columns last."""
    height, board = position.height, picture(position).split("\n")[:-1]
    names = " ".join(_COLUMNS[: position.width])
    return [*(f"{height - y:>2} {' '.join(row)}" for y, row in enumerate(board)), f"   {names}"]


def set_up(position: DarkChessPosition, text: str) -> None:
    """Replaces the board by that of a picture. Raises ValueError on one that cannot be."""
    *rows, last = text.split("\n")
    word, _, pool = last.partition(" ")
    size = (position.width, position.height)
    if {len(row) for row in rows} != {size[0]} or len(rows) != size[1]:
        raise ValueError(f"{text!r} is no picture of a {size[0]}x{size[1]} board")
    colors = {"red": 0, "black": 1, "unknown": 0}
    if word not in colors:
        raise ValueError(f"{word!r} is none of {', '.join(colors)}")
    letters = {letter: code for code, letter in enumerate([*PIECES, FACE_DOWN])}
    cells = "".join(rows)
    if wrong := set(cells) - letters.keys() - {EMPTY} | set(pool) - set(PIECES):
        raise ValueError(f"{''.join(sorted(wrong))!r}: no pieces of dark chess")
    stones = [(letters[letter], cell) for cell, letter in enumerate(cells) if letter != EMPTY]
    position.setup([*stones, *((letters[letter], -1) for letter in pool)], colors[word])


def move_images(width: int, height: int, symmetry: int) -> list[int]:
    """Returns the image of each move; symmetry 1 exchanges top and bottom, 2 left and right."""

    def image(cell: int) -> int:
        x, y = cell % width, cell // width
        return (height - 1 - y if symmetry & 1 else y) * width + (
            width - 1 - x if symmetry & 2 else x
        )

    cells, lines = width * height, width + height - 2
    images = [image(cell) for cell in range(cells)]
    for move in range(cells, cells * (1 + lines)):
        start, end = ends_of(move, width, height)
        moved = _move_of(image(start), image(end), width, height)
        images.append(move if moved is None else moved)
    return images


def deal(seed: int) -> Draw:
    """Returns the draw of one hidden arrangement of all pieces, chosen by the seed.

    A flip reveals the arrangement's piece on its cell, in any order of flips. On a board set up
    without that piece, the seed and the cell decide the outcome.
    """

    def draw(position: Position, move: int) -> int:
        if not isinstance(position, DarkChessPosition) or is_complete(position, move):
            return move
        side = [kind for kind, count in enumerate(position.material) for _ in range(count)]
        arrangement = [*side, *(kind + len(KINDS) for kind in side)]
        random.Random(seed).shuffle(arrangement)  # noqa: S311 - no secret
        played = position.with_outcome(move, arrangement[move])
        if any(played == possible for possible, _ in outcomes(position, move)):
            return played
        rng = random.Random(seed * len(arrangement) + move)  # noqa: S311 - no secret
        return drawn(position, move, rng.randrange)

    return draw


DARK_CHESS = GameKind(
    title="Chinese dark chess",
    colors=("First", "Second"),  # the first flip gives Red and Black to them
    sizes="4x8 or 2x4",
    fits=lambda width, height: (width, height) in MATERIAL,
    usual_sizes=((4, 8), (2, 4)),
    new_position=new_position,
    read_move=read_action,
    write_move=write_action,
    move_count=lambda width, height: width * height * (width + height - 1),
    write_size=lambda width, height: "" if (width, height) == (4, 8) else f"{width}x{height}",
    has_ownership=False,
    ends_when_full=False,
    by_columns=False,
    usual_height=lambda width: 2 * width,
    move_images=move_images,
    deal=deal,
)
