"""NBoard's lines, protocol version 2: reads commands, writes answers.

The module has the grammar, and of the game only the spelling of moves. The commands are in
protocols.nboard.engine; input and output are in other modules too.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from engine.games.table import GAMES

QUOTED = 60  # characters of the input repeated in a status line
EXACT = "100%"  # the depth of a move whose score is known
LARGEST_INTEGER = 2**31 - 1

_INTEGER = re.compile(r"[+-]?[0-9]{1,10}", re.ASCII)
_LONE_MOVE = re.compile(r"[a-j](?:10|[1-9])|pa", re.ASCII | re.IGNORECASE)


class NBoardError(Exception):
    """A line with a fault; the text is for the status line."""


@dataclass(frozen=True, slots=True)
class NBoardCommand:
    """The parts of one line: its first word or two, and the rest."""

    name: str
    text: str  # as it came


def read(line: str) -> NBoardCommand | None:
    """Returns the command on a line; None for an empty line.

    "set depth 6" has the name "set depth". A lone move, of version 1, is a "move".
    """
    name, _, text = line.strip().partition(" ")
    text = text.strip()
    if name == "set":
        variable, _, text = text.partition(" ")
        return NBoardCommand(f"set {variable}", text.strip())
    if not text and _LONE_MOVE.fullmatch(name):
        return NBoardCommand("move", name)
    return NBoardCommand(name, text) if name else None


def integer(command: NBoardCommand) -> int:
    """Returns a command's text as a whole number. Raises NBoardError."""
    if not _INTEGER.fullmatch(command.text) or abs(int(command.text)) > LARGEST_INTEGER:
        raise NBoardError(f"{command.name} needs a whole number, not {quoted(command.text)}")
    return int(command.text)


def quoted(text: str) -> str:
    """Returns the text in quotation marks, without control characters, shortened if long."""
    return repr(text if len(text) <= QUOTED else f"{text[:QUOTED]}...")


def move_name(move: int, size: int) -> str:
    """Writes a move for NBoard: "F5", or "PA"."""
    return "PA" if move == size * size else GAMES["othello"].write_move(move, size, size).upper()


def answer(move: str, evaluation: float | None, seconds: float) -> str:
    """Writes the engine's move; without an evaluation if it was forced."""
    return f"=== {move}/{'' if evaluation is None else f'{evaluation:.2f}'}/{seconds:.2f}\n"


def search(variation: Sequence[str], evaluation: float, depth: str, text: str = "") -> str:
    """Writes a variation: its score in discs for the side to move, its depth, free text."""
    return f"search {'-'.join(variation)} {evaluation:.2f} 0 {depth} {text}".rstrip() + "\n"


def node_statistics(nodes: int, seconds: float) -> str:
    """Writes the nodes and the seconds of a search."""
    return f"nodestats {nodes} {seconds:.2f}\n"


def status(text: str) -> str:
    """Writes a text for the status line, as one line of ASCII."""
    plain = " ".join(text.split()).encode("ascii", "backslashreplace").decode()
    return f"status {plain}\n"


def my_name(name: str) -> str:
    """Writes the engine's name; NBoard reads one word of it."""
    return f"set myname {name}\n"


def pong(number: int) -> str:
    """Writes the answer to a ping; no answer to an earlier line follows it."""
    return f"pong {number}\n"


def analysis(moves_made: int, evaluation: float) -> str:
    """Writes the score after so many moves, in discs from Black's view."""
    return f"analysis {moves_made} {evaluation:.2f}\n"


LEARNED = "learned\n"
