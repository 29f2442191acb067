"""Lines that UGI and UCI share: words, options, notes and best moves."""

from __future__ import annotations

import re
from collections.abc import Sequence

QUOTED = 60  # characters of the input repeated in an info line
EMPTY = "<empty>"  # no text, where one stands, as UCI has it
LARGEST_INTEGER = 2**53  # milliseconds, nodes

_INTEGER = re.compile(r"[+-]?[0-9]{1,16}", re.ASCII)


class LineError(Exception):
    """A line with a fault; the text is sent as `info string`."""


def words_of(line: str) -> list[str]:
    """The words of a line."""
    return line.split()


def read_option(words: Sequence[str]) -> tuple[str, str]:
    """Reads name and value behind `setoption`. Raises LineError without a name."""
    rest = list(words)
    if not rest or rest[0] != "name":
        raise LineError(f"setoption needs name and value, not {quoted(' '.join(words))}")
    at = rest.index("value") if "value" in rest else len(rest)
    name = " ".join(rest[1:at])
    if not name:
        raise LineError("setoption needs a name")
    return name, " ".join(rest[at + 1 :])


def quoted(text: str) -> str:
    """Returns the text in quotation marks, without control characters, shortened if long."""
    return repr(text if len(text) <= QUOTED else f"{text[:QUOTED]}...")


def note(text: str) -> str:
    """Writes a text for the person at the GUI, as one line of ASCII."""
    plain = " ".join(text.split()).encode("ascii", "backslashreplace").decode()
    return f"info string {plain}\n"


def best_move(move: str) -> str:
    """The end of a search."""
    return f"bestmove {move}\n"


def spin(name: str, default: int, low: int, high: int) -> str:
    """An option with whole numbers."""
    return f"option name {name} type spin default {default} min {low} max {high}\n"


def text(name: str, default: str) -> str:
    """Writes an option with any text; EMPTY stands for the empty one."""
    return f"option name {name} type string default {default or EMPTY}\n"


def integer(text: str) -> int | None:
    """Returns the whole number of a text, clipped to LARGEST_INTEGER; None if it is none."""
    if not _INTEGER.fullmatch(text):
        return None
    return max(-LARGEST_INTEGER, min(int(text), LARGEST_INTEGER))
