"""NBoard's lines, protocol version 2: a line into its command, answers into their text.

Knows the grammar and nothing of the game but how its moves are spelt. Reads and writes nothing.
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
    """A line of the protocol that cannot be followed; the text is for the status line."""


@dataclass(frozen=True, slots=True)
class NBoardCommand:
    """One line, read: its first word or first two, and the rest."""

    name: str
    text: str  # as it came


def read(line: str) -> NBoardCommand | None:
    """The command on a line; None where nothing stands on it.

    "set depth 6" has the name "set depth". A lone move, as version 1 sends it, is a "move".
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
    """The whole number that is all of a command's text. Raises NBoardError."""
    if not _INTEGER.fullmatch(command.text) or abs(int(command.text)) > LARGEST_INTEGER:
        raise NBoardError(f"{command.name} needs a whole number, not {quoted(command.text)}")
    return int(command.text)


def quoted(text: str) -> str:
    """The text in quotation marks, without control characters, shortened where it is long."""
    return repr(text if len(text) <= QUOTED else f"{text[:QUOTED]}...")


def move_name(move: int, size: int) -> str:
    """A move as NBoard writes it: "F5", or "PA"."""
    return "PA" if move == size * size else GAMES["othello"].write_move(move, size, size).upper()


def answer(move: str, evaluation: float | None, seconds: float) -> str:
    """The engine's move; without an evaluation where it was forced."""
    return f"=== {move}/{'' if evaluation is None else f'{evaluation:.2f}'}/{seconds:.2f}\n"


def search(variation: Sequence[str], evaluation: float, depth: str, text: str = "") -> str:
    """What is thought of a variation: discs by the player to move, how deep, free text."""
    return f"search {'-'.join(variation)} {evaluation:.2f} 0 {depth} {text}".rstrip() + "\n"


def node_statistics(nodes: int, seconds: float) -> str:
    """How much was looked at since the thinking began."""
    return f"nodestats {nodes} {seconds:.2f}\n"


def status(text: str) -> str:
    """A text for the status line, kept to one line of ASCII."""
    plain = " ".join(text.split()).encode("ascii", "backslashreplace").decode()
    return f"status {plain}\n"


def my_name(name: str) -> str:
    """What the engine calls itself; NBoard takes one word of it."""
    return f"set myname {name}\n"


def pong(number: int) -> str:
    """The answer to a ping, after which nothing of before it follows."""
    return f"pong {number}\n"


def analysis(moves_made: int, evaluation: float) -> str:
    """The worth of the position after so many moves, in discs by Black's view."""
    return f"analysis {moves_made} {evaluation:.2f}\n"


LEARNED = "learned\n"
