"""EinStein würfelt nicht (Althöfer 2004): its row as a game, its notation and its dice.

The rules are in engine/core/einstein. Squares are a column's letter and a row's number, a1 at the
bottom left; Red begins around a5 and goes to e1, Blue the other way. A step is `a5-b4`, with the
die of the next side `a5-b4(3)`. A placing is the numbers on the corner's cells, `123456`, from the
corner row by row; Blue's brings Red's first die: `654321(2)`.
"""

from __future__ import annotations

import itertools
import random
import re

from engine._core import EinsteinPosition
from engine.games.chance import Draw, is_complete
from engine.games.game_kind import GameKind
from engine.games.position import Position

SIZE, NUMBERS = 5, 6
DIRECTIONS = ((1, 0), (0, 1), (1, 1), (-1, 0), (0, -1), (-1, -1))  # steps of (x, y), y downwards
# (start, end) of each step that stays on the board, by move.
_ENDS = [
    (cell, (cell // SIZE + down) * SIZE + cell % SIZE + across)
    for cell in range(SIZE * SIZE)
    for across, down in DIRECTIONS
    if 0 <= cell % SIZE + across < SIZE and 0 <= cell // SIZE + down < SIZE
]
STEPS = len(_ENDS)
PLACINGS = ["".join(each) for each in itertools.permutations("123456")]
MOVE_COUNT = STEPS + len(PLACINGS)
_COLUMNS = "abcde"
_SQUARE = re.compile(r"[a-e][1-5]", re.ASCII)
_STEP = re.compile(r"([a-e][1-5])-([a-e][1-5])(?:\(([1-6])\))?", re.ASCII)
_PLACING = re.compile(r"([1-6]{6})(?:\(([1-6])\))?", re.ASCII)


def write_cell(cell: int) -> str:
    """Returns the square of a cell.

    >>> [write_cell(cell) for cell in (0, 4, 24)]
    ['a5', 'e5', 'e1']
    """
    return f"{_COLUMNS[cell % SIZE]}{SIZE - cell // SIZE}"


def _cell(square: str) -> int:
    return (SIZE - int(square[1])) * SIZE + _COLUMNS.index(square[0])


def read_cell(text: str) -> int:
    """Returns the cell of a square, in any case. Raises ValueError quoting another text.

    >>> read_cell("e1")
    24
    """
    word = text.strip().lower()
    if _SQUARE.fullmatch(word) is None:
        raise ValueError(f"{text!r} is no square: a1 to e5")
    return _cell(word)


def ends_of(move: int) -> tuple[int, int]:
    """Returns the first and the last cell of a step, a move without its die."""
    return _ENDS[move]


def rows(position: EinsteinPosition) -> list[str]:
    """Returns the board in text, the top row first, and the names of its columns.

    A piece is its color's letter and its number, as in R3 and B6; an empty cell is a point.
    """
    cells = ["R1 R2 R3 R4 R5 R6 B1 B2 B3 B4 B5 B6".split()[piece] if piece >= 0 else " ."
             for piece in position.pieces.flat]  # fmt: skip
    board = [" ".join(cells[y * SIZE : (y + 1) * SIZE]) for y in range(SIZE)]
    names = " ".join(f" {letter}" for letter in _COLUMNS)
    return [*(f"{SIZE - y} {row}" for y, row in enumerate(board)), f"  {names}"]


def next_action(position: EinsteinPosition) -> str:
    """Returns a sentence on the side to move: its die, or that it places its pieces."""
    if position.is_placing:
        return "Pieces are placed: a number on each cell of the corner, as in 123456."
    return f"Die: {position.die}"


def write_action(move: int, width: int = SIZE, height: int = SIZE) -> str:
    """Returns a move, or a played move with its die, as text; ValueError on another number.

    >>> write_action(2), write_action(2 + 3 * MOVE_COUNT), write_action(STEPS)
    ('a5-b4', 'a5-b4(3)', '123456')
    """
    plain, die = move % MOVE_COUNT, move // MOVE_COUNT
    suffix = f"({die})" if die else ""
    if (width, height) == (SIZE, SIZE) and 0 <= die <= NUMBERS:
        if plain >= STEPS:
            return PLACINGS[plain - STEPS] + suffix
        start, end = _ENDS[plain]
        return f"{write_cell(start)}-{write_cell(end)}{suffix}"
    raise ValueError(f"{move} is no move on a {width}x{height} board")


def described(position: EinsteinPosition, move: int) -> str:
    """Returns a move of a position for people: its piece, its squares, and the die if it differs.

    The next side's die in a played move is left out. A capture is `2 a5xb4`, a step of piece 2 by a
    die of 3 `2 a5-b4, die 3`, a placing `the placing 123456`.
    """
    plain = move % MOVE_COUNT
    if plain >= STEPS:
        return f"the placing {PLACINGS[plain - STEPS]}"
    start, end = _ENDS[plain]
    pieces = position.pieces.flat
    number = int(pieces[start]) % NUMBERS + 1
    sign = "-" if pieces[end] < 0 else "x"
    die = "" if number == position.die else f", die {position.die}"
    return f"{number} {write_cell(start)}{sign}{write_cell(end)}{die}"


def read_action(text: str, width: int = SIZE, height: int = SIZE) -> int:
    """Returns the move, or the played move with its die, of a text, in any case.

    Raises ValueError quoting another text.

    >>> read_action("a5-b4(3)") == 2 + 3 * MOVE_COUNT
    True
    """
    word = text.strip().lower()
    step, placing = _STEP.fullmatch(word), _PLACING.fullmatch(word)
    if (width, height) == (SIZE, SIZE):
        if placing is not None and placing[1] in PLACINGS:
            return STEPS + PLACINGS.index(placing[1]) + MOVE_COUNT * int(placing[2] or 0)
        if step is not None and (_cell(step[1]), _cell(step[2])) in _ENDS:
            move = _ENDS.index((_cell(step[1]), _cell(step[2])))
            return move + MOVE_COUNT * int(step[3] or 0)
    raise ValueError(f"{text!r} is no move on a {width}x{height} board")


def new_position(width: int = SIZE, height: int = SIZE) -> EinsteinPosition:
    """Returns the start, before the placings. Raises ValueError on another size than 5x5."""
    if (width, height) != (SIZE, SIZE):
        raise ValueError(f"no EinStein würfelt nicht on {width}x{height}: there is 5x5")
    return EinsteinPosition()


def move_images(_width: int, _height: int, _symmetry: int) -> list[int]:
    """Returns the image of each move: the board has no symmetry, so it is the move itself."""
    return list(range(MOVE_COUNT))


def deal(seed: int) -> Draw:
    """Returns the dice of one game: those of the seed, by the number of the move."""

    def draw(position: Position, move: int) -> int:
        if not isinstance(position, EinsteinPosition) or is_complete(position, move):
            return move
        rng = random.Random(f"{seed} {position.move_number}")  # noqa: S311 - no secret
        return position.with_outcome(move, rng.randint(1, NUMBERS))

    return draw


EINSTEIN = GameKind(
    title="EinStein würfelt nicht",
    colors=("Red", "Blue"),
    sizes="5x5",
    fits=lambda width, height: (width, height) == (SIZE, SIZE),
    usual_sizes=((SIZE, SIZE),),
    new_position=new_position,
    read_move=read_action,
    write_move=write_action,
    move_count=lambda _width, _height: MOVE_COUNT,
    write_size=lambda _width, _height: "",
    has_ownership=False,
    ends_when_full=False,
    by_columns=False,
    usual_height=lambda width: width,
    move_images=move_images,
    deal=deal,
)
