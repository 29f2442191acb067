"""UGI's lines, the Universal Game Interface of cutegames: reads commands, writes answers.

The module has the grammar, for any game. The commands are in protocols.ugi.engine; input and output
are in other modules too.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

QUOTED = 60  # characters of the input repeated in an info line
EMPTY = "<empty>"  # no text, where one stands, as UCI has it
LARGEST_INTEGER = 2**53  # milliseconds, nodes

_INTEGER = re.compile(r"[+-]?[0-9]{1,16}", re.ASCII)


class UgiError(Exception):
    """A line with a fault; the text is sent as `info string`."""


@dataclass(frozen=True, slots=True)
class Go:
    """The limits of `go`; None is no limit."""

    times: tuple[int | None, int | None] = (None, None)  # milliseconds left, first player's first
    increments: tuple[int, int] = (0, 0)  # milliseconds a move
    move_time: int | None = None  # milliseconds
    depth: int | None = None
    nodes: int | None = None
    infinite: bool = False


@dataclass(frozen=True, slots=True)
class PositionLine:
    """The arguments of `position`: the first board, and the moves from there."""

    kind: str  # "startpos", "fen", "pons"
    text: str  # the text behind the kind
    moves: tuple[str, ...]


def words_of(line: str) -> list[str]:
    """The words of a line."""
    return line.split()


def read_position(words: Sequence[str]) -> PositionLine:
    """Reads the words behind `position`. Raises UgiError if there are none."""
    if not words:
        raise UgiError("position needs startpos, fen or pons")
    kind, rest = words[0].lower(), list(words[1:])
    at = rest.index("moves") if "moves" in rest else len(rest)
    return PositionLine(kind, " ".join(rest[:at]), tuple(rest[at + 1 :]))


def read_option(words: Sequence[str]) -> tuple[str, str]:
    """Reads name and value behind `setoption`. Raises UgiError without a name."""
    rest = list(words)
    if not rest or rest[0] != "name":
        raise UgiError(f"setoption needs name and value, not {quoted(' '.join(words))}")
    at = rest.index("value") if "value" in rest else len(rest)
    name = " ".join(rest[1:at])
    if not name:
        raise UgiError("setoption needs a name")
    return name, " ".join(rest[at + 1 :])


def read_go(words: Sequence[str]) -> tuple[Go, list[str]]:
    """Reads the limits behind `go`, and returns the unknown words too."""
    limits, wrong = Go(), []
    rest = list(words)
    while rest:
        word = rest.pop(0)
        if word == "infinite":
            limits = replace(limits, infinite=True)
            continue
        value = _integer(rest[0]) if rest else None
        if word not in LIMITS or value is None:
            wrong.append(word)
            continue
        rest.pop(0)
        limits = _limited(limits, word, value)
    return limits, wrong


LIMITS = ("p1time", "p2time", "p1inc", "p2inc", "movetime", "depth", "nodes")


def _limited(limits: Go, word: str, value: int) -> Go:
    first = word.startswith("p1")
    if word.endswith("inc"):
        value = max(value, 0)
        own, other = limits.increments
        return replace(limits, increments=(value, other) if first else (own, value))
    if word in {"p1time", "p2time"}:
        one, two = limits.times
        return replace(limits, times=(value, two) if first else (one, value))
    if word == "movetime":
        return replace(limits, move_time=max(value, 0))
    if word == "depth":
        return replace(limits, depth=value)
    return replace(limits, nodes=max(value, 1))


def _integer(text: str) -> int | None:
    """Returns the whole number of a text, clipped to LARGEST_INTEGER; None if it is none."""
    if not _INTEGER.fullmatch(text):
        return None
    return max(-LARGEST_INTEGER, min(int(text), LARGEST_INTEGER))


def quoted(text: str) -> str:
    """Returns the text in quotation marks, without control characters, shortened if long."""
    return repr(text if len(text) <= QUOTED else f"{text[:QUOTED]}...")


def note(text: str) -> str:
    """Writes a text for the person at the GUI, as one line of ASCII."""
    plain = " ".join(text.split()).encode("ascii", "backslashreplace").decode()
    return f"info string {plain}\n"


def response(answer: str) -> str:
    """The answer to a query."""
    return f"response {answer}\n"


def truth(value: bool) -> str:  # noqa: FBT001 - it is the thing written
    """Writes a boolean."""
    return "true" if value else "false"


def best_move(move: str) -> str:
    """The end of a search."""
    return f"bestmove {move}\n"


def combination(name: str, default: str, values: Sequence[str]) -> str:
    """An option with named values."""
    named = " ".join(f"var {value}" for value in values)
    return f"option name {name} type combo default {default} {named}\n"


def text(name: str, default: str) -> str:
    """Writes an option with any text; EMPTY stands for the empty one."""
    return f"option name {name} type string default {default or EMPTY}\n"


def spin(name: str, default: int, low: int, high: int) -> str:
    """An option with whole numbers."""
    return f"option name {name} type spin default {default} min {low} max {high}\n"
