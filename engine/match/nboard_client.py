"""The controller's side of NBoard's protocol, version 2: tells a game, asks for a move.

Knows the lines an NBoard engine is sent and says, and that a ping has to be answered before the
game is changed under an engine. Does not know Othello: games are GGF text, moves are words. Lines
it does not know are skipped, as the protocol wants. Every wait has a limit; an engine that dies or
stays silent is lost, and EngineLostError says how.
"""

from __future__ import annotations

import re
import time
from collections.abc import Sequence
from dataclasses import dataclass

from engine.match.engine_process import EngineProcess

ANSWER = "==="
COMPLAINTS = ("warning ", "error ")  # as NTest's, asked for a move before it was told a depth
FIELD = re.compile(r"\s*/\s*|\s+")  # Edax writes spaces where the protocol has slashes


@dataclass(frozen=True, slots=True)
class NBoardMove:
    """What an engine answered to `go`."""

    move: str  # as written; empty where the answer has none
    evaluation: float | None  # discs, for the side to move
    nodes: int | None  # as the last nodestats told


def parse_answer(line: str, nodes: int | None = None) -> NBoardMove:
    """The move of a line as "=== F5/1.5/2.0" or "=== f5 1.50 2.0".

    >>> parse_answer("=== F5//2.1").evaluation, parse_answer("=== d6 -1.00 0.0").evaluation
    (None, -1.0)
    """
    move, *fields = FIELD.split(line.removeprefix(ANSWER).strip())
    try:
        evaluation = float(fields[0])
    except (IndexError, ValueError):
        evaluation = None
    return NBoardMove(move, evaluation, nodes)


class NBoardClient(EngineProcess):
    """A running engine that has answered a first ping. Raises EngineLostError at its start."""

    def __init__(self, command: str | Sequence[str], *, seconds: float = 60.0) -> None:
        super().__init__(command, seconds=seconds)
        self.name = ""
        self._pings = 0
        try:
            self.write("nboard 2")
            self.synchronize()
        except BaseException:
            self.kill()
            raise

    def synchronize(self) -> None:
        """Pings, and skips what the engine says until it has answered: after that it is idle."""
        self._pings += 1
        ping = f"ping {self._pings}"
        self.write(ping)
        deadline = time.monotonic() + self.seconds
        while (line := self.line(ping, deadline).strip()) != f"pong {self._pings}":
            self._notice(line)

    def _notice(self, line: str) -> None:
        if line.startswith("set myname "):
            self.name = line.removeprefix("set myname ").strip()
        elif line.startswith(COMPLAINTS):
            self.last_words = line

    def set_depth(self, depth: int) -> None:
        """Asks for so deep a search in the middle game."""
        self.synchronize()
        self.write(f"set depth {depth}")

    def set_game(self, ggf: str) -> None:
        """Sets the position at the end of this game."""
        self.synchronize()
        self.write(f"set game {ggf}")

    def play(self, move: str) -> None:
        """Tells a move, of either side."""
        self.synchronize()
        self.write(f"move {move}")

    def go(self) -> NBoardMove:
        """The engine's move, which it has not played: it waits to be told, as of any other."""
        self.synchronize()
        self.write("go")
        deadline = time.monotonic() + self.seconds
        nodes: int | None = None
        while not (line := self.line("go", deadline).strip()).startswith(ANSWER):
            self._notice(line)
            words = line.split()
            if words[:1] == ["nodestats"] and len(words) > 1 and words[1].isdecimal():
                nodes = int(words[1])
        return parse_answer(line, nodes)
