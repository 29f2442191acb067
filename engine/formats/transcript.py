"""Games as one line of moves, such as "f5d6c3" of Othello and "4453" of Connect4.

In games of chance a move has its outcome: "a1(P) a1-a2" of dark chess, "123456 654321(2) a5-b4(3)"
of EinStein würfelt nicht.

The module splits lines into moves and joins moves to lines; the table of games reads each move.
Most transcripts of Othello omit passes; a pass is inserted if there is no other move.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence

from engine.errors import RecordError
from engine.games.position import Position
from engine.games.table import GAMES

LONGEST_LINE = 10_000  # characters
QUOTED = 20  # most characters of a transcript quoted in an error

_GAP = r"[\s,;|.():-]+"
# Move numbers ("1.", "12)") stand before a move; numbers after a letter are rows.
_OTHELLO = re.compile(
    rf"(?P<move>pass|pa|ps|--|[a-j](?:10|[1-9]))|{_GAP}|(?<![a-j])[0-9]{{1,3}}(?=[.):\s]*[a-z-])",
    re.ASCII | re.IGNORECASE,
)
_COLUMN = re.compile(rf"(?P<move>[1-9]|[a-i])|{_GAP}", re.ASCII | re.IGNORECASE)
_WIDE_COLUMN = re.compile(rf"(?P<move>[1-9][0-9]?(?![0-9])|[a-z])|{_GAP}", re.ASCII | re.IGNORECASE)
_DARK_CHESS = re.compile(
    r"(?P<move>[a-h][1-9](?:-[a-h][1-9]|\([^()\s]\)))|[\s,;]+", re.ASCII | re.IGNORECASE
)
_EINSTEIN = re.compile(
    r"(?P<move>(?:[a-e][1-5]-[a-e][1-5]|[1-6]{6})(?:\([1-6]\))?)|[\s,;]+", re.ASCII | re.IGNORECASE
)
# Games with one way to split a line; the columns of Connect4 depend on the board's width.
_PATTERNS = {"othello": _OTHELLO, "darkchess": _DARK_CHESS, "einstein": _EINSTEIN}
WITH_GAPS = frozenset({"darkchess", "einstein"})
ONE_DIGIT = 9  # columns; wider boards need gaps between the numbers


def games() -> tuple[str, ...]:
    """Returns the games with transcripts, as keys of GAMES."""
    return ("connect4", *_PATTERNS)


def read(game: str, text: str, position: Position) -> list[int]:
    """Returns the moves of a transcript from the position, passes included.

    The position is unchanged. Raises RecordError quoting text without a move, or an illegal move.
    """
    if len(text) > LONGEST_LINE:
        raise RecordError(f"the transcript has more than {LONGEST_LINE} characters")
    kind = GAMES[game]
    board = position.copy()
    played: list[int] = []
    for word in _words(game, text, position):
        try:
            move = kind.read_move(word, board.width, board.height)
        except ValueError as error:
            raise RecordError(f"move {len(played) + 1}, {word!r}: {error}") from error
        try:
            played.extend(play(board, move))
        except ValueError as error:
            raise RecordError(f"move {len(played) + 1}, {word!r}: not a legal move") from error
    return played


def write(game: str, moves: Sequence[int], position: Position) -> str:
    """Returns the transcript of moves from the position, without passes."""
    kind = GAMES[game]
    words = [
        kind.write_move(move, position.width, position.height)
        for move in moves
        if move != position.pass_move
    ]
    has_gaps = game in WITH_GAPS or (game == "connect4" and position.width > ONE_DIGIT)
    return (" " if has_gaps else "").join(words)


def with_passes(moves: Iterable[int], position: Position) -> list[int]:
    """Returns the moves with all forced passes inserted.

    The position is unchanged. Raises RecordError at a move illegal even after a pass.
    """
    board = position.copy()
    played: list[int] = []
    for move in moves:
        try:
            played.extend(play(board, move))
        except ValueError as error:
            raise RecordError(f"move {len(played) + 1}: {error}") from error
    return played


def play(board: Position, move: int) -> list[int]:
    """Plays the move, after a pass if that is forced; returns the moves played.

    Raises ValueError if the move is illegal even so; the forced pass then stays played.
    """
    played = [move]
    passing = board.pass_move
    if passing >= 0 and move != passing and not board.is_over and board.is_legal(passing):
        board.play(passing)
        played.insert(0, passing)
    board.play(move)
    return played


def _words(game: str, text: str, position: Position) -> Iterator[str]:
    """Yields the texts of the moves; raises RecordError on any other text."""
    columns = _COLUMN if position.width <= ONE_DIGIT else _WIDE_COLUMN
    pattern = columns if game == "connect4" else _PATTERNS[game]
    start = 0
    while start < len(text):
        match = pattern.match(text, start)
        if match is None:
            raise RecordError(f"{text[start : start + QUOTED]!r} does not begin with a move")
        if match["move"]:
            yield match["move"]
        start = match.end()
