"""The lines of dark chess tournaments: `<id> <command> [arguments]`, answered by `=<id> text`.

It is a dialect of GTP, spoken by the clients of the NTU course and of the TCGA tournaments. An
answer has one newline; a `?` in place of the `=` tells a fault. The commands are in
protocols.darkchess.engine.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from engine.games.dark_chess import KINDS, PIECES, write_action

QUOTED = 60  # characters of the input repeated in an answer
CELLS = 32
TEMPLATE_KINDS = "PCNRMGK"  # the order of unrevealed pieces in the course's template
COUNT_ORDERS = (TEMPLATE_KINDS, KINDS)

_SQUARE = re.compile(r"[a-d][1-8]", re.ASCII)
_COUNT = re.compile(r"[0-9]{1,2}", re.ASCII)


class DarkChessError(Exception):
    """A line with a fault; the text is for the answer."""


@dataclass(frozen=True, slots=True)
class DarkChessCommand:
    """One line: the id as it came, a name and arguments."""

    id: str
    name: str
    arguments: tuple[str, ...]


def read(line: str) -> DarkChessCommand | None:
    """Returns the command on a line, with or without an id; None for an empty line."""
    words = line.split()
    if not words:
        return None
    number = words.pop(0) if words[0].isascii() and words[0].isdigit() else ""
    name = words[0] if words else ""
    return DarkChessCommand(number, name, tuple(words[1:]))


def answer(command: DarkChessCommand, text: str) -> str:
    """Returns the line of a success."""
    return f"={command.id} {text}".rstrip() + "\n"


def fault(command: DarkChessCommand, text: str) -> str:
    """Returns the line of a fault, with its reason."""
    return f"?{command.id} {text}\n"


def quoted(text: str) -> str:
    """Returns the beginning of a text, in quotation marks."""
    return repr(text if len(text) <= QUOTED else text[:QUOTED] + "...")


def square(text: str) -> str:
    """Returns a square; raises DarkChessError quoting another text."""
    if not _SQUARE.fullmatch(text):
        raise DarkChessError(f"{quoted(text)} is no square")
    return text


def moved_text(move: int) -> str:
    """Returns a chosen move as two squares, a flip as the same square twice.

    >>> moved_text(0)
    'a8 a8'
    """
    text = write_action(move, 4, 8)
    start, _, end = text.partition("-")
    return f"{start} {end}" if end else f"{text[:2]} {text[:2]}"


def board_text(arguments: Sequence[str], order: str) -> str:
    """Returns a picture of the board of `init_board`, with Red to move.

    arguments: 32 letters from a8 row by row, in one word or several, then the 14 numbers of
    unrevealed pieces, Red's kinds in this order and then Black's. Raises DarkChessError.
    """
    letters = "".join(arguments[:-14])
    counts = arguments[-14:]
    if len(letters) != CELLS or len(counts) != len(PIECES):
        raise DarkChessError("a board has 32 letters and 14 numbers of unrevealed pieces")
    if not all(_COUNT.fullmatch(count) for count in counts):
        raise DarkChessError(f"{quoted(' '.join(counts))} are no 14 numbers")
    pieces = order + order.lower()
    pool = "".join(piece * int(count) for piece, count in zip(pieces, counts, strict=True))
    rows = [letters[start : start + 4] for start in range(0, CELLS, 4)]
    return "\n".join([*rows, f"red {pool}".rstrip()])
