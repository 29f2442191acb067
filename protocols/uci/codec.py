"""UCI's lines: reads `go`, `position` and UCI_Opponent, writes scores.

The protocol is Stefan-Meyer Kahlen's of 2006, with Stockfish's UCI_ShowWDL and wdl.
"""

from __future__ import annotations

import json
import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

from engine.search.pawns import MATE_PAWNS, pawns_of
from protocols.positions.option_lines import LineError, integer, quoted
from protocols.positions.player import AnalysisLine

NO_MOVE = "(none)"
FLAGS = ("infinite", "ponder")
NUMBERS = (
    "wtime", "btime", "winc", "binc", "movestogo", "depth", "nodes", "mate", "movetime"
)  # fmt: skip
MOVES = "searchmoves"
UNKNOWN = ("none", "-", "")
PERMILLE = 1000
# The Elo of UCI_Opponent counts as a rating of this server.
RATING_SERVER = "fide"


@dataclass(frozen=True, slots=True)
class UciLimits:
    """The limits of `go`; None is no limit."""

    times: tuple[int | None, int | None] = (None, None)  # milliseconds left, White's first
    increments: tuple[int, int] = (0, 0)  # milliseconds a move
    moves_to_go: int | None = None  # moves until the next time control
    move_time: int | None = None  # milliseconds
    depth: int | None = None
    nodes: int | None = None
    mate: int | None = None  # moves
    infinite: bool = False
    ponder: bool = False
    moves: tuple[str, ...] = ()  # of searchmoves; none: all


@dataclass(frozen=True, slots=True)
class UciPosition:
    """The arguments of `position`: a FEN, and the moves from there."""

    fen: str  # empty: the usual start
    moves: tuple[str, ...]


def read_position(words: Sequence[str]) -> UciPosition:
    """Reads the words behind `position`. Raises LineError without startpos or fen."""
    rest = list(words)
    kind = rest.pop(0) if rest else ""
    at = rest.index("moves") if "moves" in rest else len(rest)
    text = " ".join(rest[:at])
    if kind not in {"startpos", "fen"} or bool(text) != (kind == "fen"):
        raise LineError(f"position needs startpos or fen FEN, not {quoted(' '.join(words))}")
    return UciPosition(text, tuple(rest[at + 1 :]))


def read_go(words: Sequence[str]) -> tuple[UciLimits, list[str]]:
    """Reads the limits behind `go`, and returns the words that are none."""
    limits, wrong = UciLimits(), []
    rest = list(words)
    while rest:
        word = rest.pop(0)
        if word == "infinite":
            limits = replace(limits, infinite=True)
        elif word == "ponder":
            limits = replace(limits, ponder=True)
        elif word == MOVES:
            moves = []
            while rest and rest[0] not in (*FLAGS, *NUMBERS, MOVES):
                moves.append(rest.pop(0))
            limits = replace(limits, moves=tuple(moves))
        elif word in NUMBERS and rest and (value := integer(rest[0])) is not None:
            rest.pop(0)
            limits = _limited(limits, word, value)
        else:
            wrong.append(word)
    return limits, wrong


def _limited(limits: UciLimits, word: str, value: int) -> UciLimits:
    """Returns the limits with a number."""
    white, black = limits.times
    own, other = limits.increments
    return {
        "wtime": lambda: replace(limits, times=(value, black)),
        "btime": lambda: replace(limits, times=(white, value)),
        "winc": lambda: replace(limits, increments=(max(value, 0), other)),
        "binc": lambda: replace(limits, increments=(own, max(value, 0))),
        "movestogo": lambda: replace(limits, moves_to_go=max(value, 1)),
        "movetime": lambda: replace(limits, move_time=max(value, 0)),
        "depth": lambda: replace(limits, depth=max(value, 1)),
        "nodes": lambda: replace(limits, nodes=max(value, 1)),
        "mate": lambda: replace(limits, mate=max(value, 1)),
    }[word]()


def read_opponent(value: str) -> str:
    """Returns the identity in UCI_Opponent's value, as protocols.opponent_identity reads it.

    The value is `TITLE|none ELO|none computer|human NAME`; an empty text for one without a name.
    """
    words = value.split()
    if len(words) < 4:
        return ""
    _, elo, kind, *name = words
    rating = integer(elo)
    fields: dict[str, object] = {"server": RATING_SERVER, "account": " ".join(name)}
    fields["kind"] = "program" if kind == "computer" else "person"
    if rating is not None and rating > 0:
        fields["rating"] = rating
    return json.dumps(fields)


def score(line: AnalysisLine, *, shows_wdl: bool) -> str:
    """Returns the score of a line as `cp C` or `mate N`, with `wdl W D L` if wanted.

    W, D and L are of the side to move, in thousandths. Another engine states mates alone.
    """
    pawns = pawns_of(2 * line.win_rate - 1) if line.pawns is None else line.pawns
    text = f"cp {round(100 * pawns)}"
    if MATE_PAWNS / 2 <= abs(pawns) <= MATE_PAWNS:
        text = f"mate {round(math.copysign(MATE_PAWNS - abs(pawns), pawns))}"
    if not shows_wdl:
        return text
    draw = round(PERMILLE * line.draw)
    win = min(round(PERMILLE * (line.win_rate - line.draw / 2)), PERMILLE - draw)
    return f"{text} wdl {max(win, 0)} {draw} {PERMILLE - draw - max(win, 0)}"


def check(name: str, *, default: bool) -> str:
    """Returns the line of an option that is true or false."""
    return f"option name {name} type check default {'true' if default else 'false'}\n"
