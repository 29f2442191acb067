"""Games as one line of moves: Othello's "f5d6c3" and the digits "4453" of Connect4.

Knows how such lines are split into moves and joined again; what a move means it asks the game.
Passes, which most transcripts of Othello leave out, are put in where there is no other move.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence

from engine.errors import RecordError
from engine.games.position import Position
from engine.games.table import GAMES

LONGEST_LINE = 10_000  # characters
QUOTED = 20  # characters of a transcript repeated in an error

_GAP = r"[\s,;|.():-]+"
# Numbers of moves ("1.", "12)") stand before a move and not behind a letter, as rows do.
_OTHELLO = re.compile(
    rf"(?P<move>pass|pa|ps|--|[a-j](?:10|[1-9]))|{_GAP}|(?<![a-j])[0-9]{{1,3}}(?=[.):\s]*[a-z-])",
    re.ASCII | re.IGNORECASE,
)
_COLUMN = re.compile(rf"(?P<move>[1-9]|[a-i])|{_GAP}", re.ASCII | re.IGNORECASE)
_WIDE_COLUMN = re.compile(rf"(?P<move>[1-9][0-9]?(?![0-9])|[a-z])|{_GAP}", re.ASCII | re.IGNORECASE)
ONE_DIGIT = 9  # columns; wider boards need gaps between the numbers


def games() -> tuple[str, ...]:
    """The games that have transcripts, as GAMES names them."""
    return ("othello", "connect4")


def read(game: str, text: str, position: Position) -> list[int]:
    """The moves of a transcript that begins at the position, which is left as it is.

    Raises RecordError quoting what is no move, or not a legal one.
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
    """The transcript of moves played from the position; passes are left out."""
    kind = GAMES[game]
    words = [
        kind.write_move(move, position.width, position.height)
        for move in moves
        if move != position.pass_move
    ]
    return (" " if game == "connect4" and position.width > ONE_DIGIT else "").join(words)


def with_passes(moves: Iterable[int], position: Position) -> list[int]:
    """The moves with passes put in where the player could do nothing else.

    The position is left as it is. Raises RecordError where a move is not legal even so.
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
    """Plays the move, after a pass where the player has no other; what was played.

    Raises ValueError where the move is not legal even so; then nothing has changed but, perhaps,
    that pass.
    """
    played = [move]
    passing = board.pass_move
    if passing >= 0 and move != passing and not board.is_over and board.is_legal(passing):
        board.play(passing)
        played.insert(0, passing)
    board.play(move)
    return played


def _words(game: str, text: str, position: Position) -> Iterator[str]:
    """The texts of the moves; raises RecordError where something else stands."""
    pattern = _OTHELLO
    if game == "connect4":
        pattern = _COLUMN if position.width <= ONE_DIGIT else _WIDE_COLUMN
    start = 0
    while start < len(text):
        match = pattern.match(text, start)
        if match is None:
            raise RecordError(f"{text[start : start + QUOTED]!r} does not begin with a move")
        if match["move"]:
            yield match["move"]
        start = match.end()
