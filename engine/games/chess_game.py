"""Chess in the table of games: its row, and its moves as numbers and as text.

A move is one of the 1968 texts of UCI, such as e2e4, e7e8q or, for castling, e1g1 (in Chess960 the
king's square and its rook's, as e1h1). The rules are python-chess's, an optional module under the
GPL; this module does without it, and engine.games.chess_position needs it.
"""

from __future__ import annotations

import re
from importlib.util import find_spec
from typing import TYPE_CHECKING

from engine.errors import SettingError
from engine.games.chess_policy import POLICY_MOVES, PROMOTIONS, SIDE
from engine.games.game_kind import GameKind
from engine.util.optional_modules import absent

if TYPE_CHECKING:
    from engine.games.chess_position import ChessPosition

LIBRARY = "chess"  # the module
PIECES = PROMOTIONS + "n"  # into which pawns promote
_LAST_RANKS = ((SIDE - 2, SIDE - 1), (1, 0))  # White's and Black's, before and after a promotion
_TEXT = re.compile(r"[a-h][1-8][a-h][1-8][qrbn]?", re.ASCII)


def _square(file: int, rank: int) -> str:
    return f"{'abcdefgh'[file]}{rank + 1}"


def _texts() -> tuple[str, ...]:
    plain = [
        _square(move.start % SIDE, move.start // SIDE) + _square(move.end % SIDE, move.end // SIDE)
        for move in POLICY_MOVES
        if not move.promotion
    ]
    promotions = [
        _square(file, before) + _square(target, last) + piece
        for before, last in _LAST_RANKS
        for file in range(SIDE)
        for target in range(max(file - 1, 0), min(file + 2, SIDE))
        for piece in PIECES
    ]
    return (*plain, *promotions)


MOVES = _texts()  # by number
MOVE_NUMBERS = {text: number for number, text in enumerate(MOVES)}


def read_uci(text: str, _width: int = SIDE, _height: int = SIDE) -> int:
    """Returns the number of a move of UCI. Raises ValueError quoting another text."""
    word = text.strip().lower()
    if not _TEXT.fullmatch(word) or word not in MOVE_NUMBERS:
        raise ValueError(f"{text!r} is not a move: squares such as e2e4, with a promotion e7e8q")
    return MOVE_NUMBERS[word]


def write_uci(move: int, _width: int = SIDE, _height: int = SIDE) -> str:
    """Returns the move as UCI has it. Raises ValueError on another number."""
    if not 0 <= move < len(MOVES):
        raise ValueError(f"{move!r} is not a move of chess")
    return MOVES[move]


def require_library() -> None:
    """Raises SettingError unless python-chess is installed."""
    if find_spec(LIBRARY) is None:
        raise SettingError(f"chess needs python-chess, under the GPL; {absent(LIBRARY)}")


def new_position(_width: int = SIDE, _height: int = SIDE) -> ChessPosition:
    """Returns the usual start. Raises SettingError where python-chess is absent."""
    require_library()
    from engine.games.chess_position import ChessPosition  # noqa: PLC0415 (an optional module)

    return ChessPosition()


CHESS = GameKind(
    title="Chess",
    colors=("White", "Black"),
    sizes="8x8",
    fits=lambda width, height: (width, height) == (SIDE, SIDE),
    usual_sizes=((SIDE, SIDE),),
    new_position=new_position,
    read_move=read_uci,
    write_move=write_uci,
    move_count=lambda _width, _height: len(MOVES),
    write_size=lambda _width, _height: "",
    has_ownership=False,
    ends_when_full=False,
    by_columns=False,
    usual_height=lambda width: width,
)
