"""UGI's lines, the Universal Game Interface of cutegames: reads commands, writes answers.

The module has the grammar, for any game. The commands are in protocols.ugi.engine; input and output
are in other modules too.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from protocols.positions.option_lines import LineError, integer


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


def read_position(words: Sequence[str]) -> PositionLine:
    """Reads the words behind `position`. Raises LineError if there are none."""
    if not words:
        raise LineError("position needs startpos, fen or pons")
    kind, rest = words[0].lower(), list(words[1:])
    at = rest.index("moves") if "moves" in rest else len(rest)
    return PositionLine(kind, " ".join(rest[:at]), tuple(rest[at + 1 :]))


def read_go(words: Sequence[str]) -> tuple[Go, list[str]]:
    """Reads the limits behind `go`, and returns the unknown words too."""
    limits, wrong = Go(), []
    rest = list(words)
    while rest:
        word = rest.pop(0)
        if word == "infinite":
            limits = replace(limits, infinite=True)
            continue
        value = integer(rest[0]) if rest else None
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


def response(answer: str) -> str:
    """The answer to a query."""
    return f"response {answer}\n"


def truth(value: bool) -> str:  # noqa: FBT001 - it is the thing written
    """Writes a boolean."""
    return "true" if value else "false"


def combination(name: str, default: str, values: Sequence[str]) -> str:
    """An option with named values."""
    named = " ".join(f"var {value}" for value in values)
    return f"option name {name} type combo default {default} {named}\n"
