"""The table of games: their sizes, start positions, and reading and writing of moves.

GAMES is the table; a game is a row. A move is a policy index: y * width + x in Go and Othello, with
y = 0 the top row and width * height the pass; the column in Connect4. The games of chance have
their moves and outcomes in engine/games/dark_chess.py and engine/games/einstein.py.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from engine._core import Connect4Position, GoPosition, OthelloPosition
from engine.errors import SettingError
from engine.games.chess_game import CHESS
from engine.games.dark_chess import DARK_CHESS
from engine.games.einstein import EINSTEIN
from engine.games.game_kind import GameKind
from engine.games.position import Position
from engine.games.rules import RULE_SETS, USUAL_RULES
from engine.util.registry import unknown_name

COLUMNS = "ABCDEFGHJKLMNOPQRST"  # without I, as on every Go board
_VERTEX = re.compile(r"([A-HJ-T])([1-9]\d?)", re.ASCII)
_LETTERS = "abcdefghijklmnopqrst"
_SQUARE = re.compile(r"([a-z])([1-9]\d?)", re.ASCII)
_OTHELLO_PASSES = ("pass", "pa", "ps", "--")
_PAIR = re.compile(r"\(\s*(\d{1,2})\s*,\s*(\d{1,2})\s*\)", re.ASCII)


def read_vertex(text: str, width: int, height: int) -> int:
    """Returns the move of a Go vertex: "D4", "pass", or "(x,y)" from the top left, in any case.

    Raises ValueError quoting a text without a point of the board.
    """
    word = text.strip().upper()
    if word == "PASS":
        return width * height
    if match := _VERTEX.fullmatch(word):
        x, y = COLUMNS.index(match[1]), height - int(match[2])
    elif match := _PAIR.fullmatch(word):
        x, y = int(match[1]), int(match[2])
    else:
        raise ValueError(f"{text!r} is not a move: a vertex such as D4, or pass")
    if not (0 <= x < width and 0 <= y < height):
        raise ValueError(f"{text!r} is not on the {width}x{height} board")
    return y * width + x


def write_vertex(move: int, width: int, height: int) -> str:
    """Returns the move as a Go vertex: "D4" or "pass". ValueError on a move off the board."""
    if not 0 <= move <= width * height:
        raise ValueError(f"{move!r} is not a move of a {width}x{height} board")
    if move == width * height:
        return "pass"
    return f"{COLUMNS[move % width]}{height - move // width}"


def read_square(text: str, width: int, height: int) -> int:
    """Returns the Othello move of a text such as "f5" or "pass", in any case; a1 is the top left.

    Raises ValueError quoting a text without a square of the board.
    """
    word = text.strip().lower()
    if word in _OTHELLO_PASSES:
        return width * height
    match = _SQUARE.fullmatch(word)
    if match is None:
        raise ValueError(f"{text!r} is not a move: a square such as f5, or pass")
    x, y = _LETTERS.find(match[1]), int(match[2]) - 1
    if not (0 <= x < width and y < height):
        raise ValueError(f"{text!r} is not on the {width}x{height} board")
    return y * width + x


def write_square(move: int, width: int, height: int) -> str:
    """Returns the Othello move as text: "f5" or "pass". ValueError on a move off the board."""
    if not 0 <= move <= width * height:
        raise ValueError(f"{move!r} is not a move of a {width}x{height} board")
    if move == width * height:
        return "pass"
    return f"{_LETTERS[move % width]}{move // width + 1}"


def read_column(text: str, width: int, height: int) -> int:
    """Returns the Connect4 move of a text: "1" or "a" is the leftmost column, in any case.

    Raises ValueError quoting a text without a column of the board.
    """
    word = text.strip().lower()
    if word.isascii() and word.isdecimal():
        column = int(word) - 1
    elif len(word) == 1 and word in _LETTERS:
        column = _LETTERS.index(word)
    else:
        raise ValueError(f"{text!r} is not a move: a column such as 4")
    if not 0 <= column < width:
        raise ValueError(f"{text!r} is not a column of the {width}x{height} board")
    return column


def write_column(move: int, width: int, height: int) -> str:
    """Returns the Connect4 move as text: "1" is the leftmost column. ValueError off the board."""
    if not 0 <= move < width:
        raise ValueError(f"{move!r} is not a move of a {width}x{height} board")
    return str(move + 1)


def cells_and_pass(width: int, height: int) -> int:
    """Returns the number of moves where a move is a cell or the pass."""
    return width * height + 1


GAMES: dict[str, GameKind] = {
    "go": GameKind(
        title="Go",
        colors=("Black", "White"),
        sizes="2x2 to 19x19, rectangles too",
        fits=lambda width, height: min(width, height) >= 2 and max(width, height) <= 19,
        usual_sizes=((19, 19), (13, 13), (9, 9)),
        new_position=lambda width, height: GoPosition(width, height, RULE_SETS[USUAL_RULES]),
        read_move=read_vertex,
        write_move=write_vertex,
        move_count=cells_and_pass,
        write_size=lambda width, height: f"{width}" if width == height else f"{width}x{height}",
        has_ownership=True,
        ends_when_full=False,
        by_columns=False,
        usual_height=lambda width: width,
    ),
    "othello": GameKind(
        title="Othello",
        colors=("Black", "White"),
        sizes="4x4, 6x6, 8x8 or 10x10",
        fits=lambda width, height: width == height and width in (4, 6, 8, 10),
        usual_sizes=((8, 8), (6, 6)),
        new_position=lambda width, _height: OthelloPosition(width),
        read_move=read_square,
        write_move=write_square,
        move_count=cells_and_pass,
        write_size=lambda width, _height: f"{width}",
        has_ownership=True,
        ends_when_full=True,
        by_columns=False,
        usual_height=lambda width: width,
    ),
    "connect4": GameKind(
        title="Connect4",
        colors=("Red", "Yellow"),
        sizes="4x4 or more, width * (height + 1) up to 64",
        fits=lambda width, height: min(width, height) >= 4 and width * (height + 1) <= 64,
        usual_sizes=((7, 6),),
        new_position=Connect4Position,
        read_move=read_column,
        write_move=write_column,
        move_count=lambda width, _height: width,
        write_size=lambda width, height: "" if (width, height) == (7, 6) else f"-{width}x{height}",
        has_ownership=False,
        ends_when_full=True,
        by_columns=True,
        usual_height=lambda width: min(width - 1, 64 // max(width, 1) - 1),
    ),
    "chess": CHESS,
    "darkchess": DARK_CHESS,
    "einstein": EINSTEIN,
}


@dataclass(frozen=True, slots=True)
class Board:
    """A game on a board of one size."""

    game: str  # a key of GAMES
    width: int
    height: int

    @classmethod
    def of_name(cls, name: str) -> Board:
        """Returns the board of a word such as `name`. Raises ValueError quoting another word."""
        for game, kind in GAMES.items():
            size = re.fullmatch(rf"{game}-?(\d{{1,2}})(?:x(\d{{1,2}}))?", name, re.ASCII)
            width, height = (int(size[1]), int(size[2] or size[1])) if size else kind.usual_sizes[0]
            board = cls(game, width, height)
            if board.name == name and kind.fits(width, height):
                return board
        raise ValueError(f"{name!r} is not a board such as go9 or connect4-8x7")

    @property
    def name(self) -> str:
        """Game and size in a word: "go9", "othello8", "connect4" (usual size), "connect4-8x7"."""
        return self.game + GAMES[self.game].write_size(self.width, self.height)

    def start(self) -> Position:
        """Returns the start position by the usual rules."""
        return GAMES[self.game].new_position(self.width, self.height)


def usual_board(game: str) -> Board:
    """Returns the default board of a game, a key of GAMES."""
    return Board(game, *GAMES[game].usual_sizes[0])


_OTHER_NAMES = {"baduk": "go", "weiqi": "go", "reversi": "othello", "connectfour": "connect4"}
_OTHER_NAMES |= {"banqi": "darkchess", "chinesedarkchess": "darkchess"}
_OTHER_NAMES |= dict.fromkeys(("ewn", "einsteinwürfeltnicht", "einsteinwuerfeltnicht"), "einstein")


def game_named(name: str) -> str:
    """Returns the key of a game's name; case, spaces, hyphens and underscores do not matter.

    Raises SettingError quoting an unknown name.
    """
    word = re.sub("[ _-]", "", name.casefold())
    key = _OTHER_NAMES.get(word, word)
    if key not in GAMES:
        raise SettingError(str(unknown_name("unknown game", name, GAMES)))
    return key


def board_named(name: str) -> Board:
    """Returns the default board of a game's name. SettingError quotes an unknown name."""
    return usual_board(game_named(name))
