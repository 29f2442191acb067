"""The controller's side of NBoard's protocol, version 2.

The client sends a ping and waits for its answer before each change of the game, by the protocol.
Games are GGF text and moves are words: the rules of Othello are elsewhere. Unknown lines are
skipped, by the protocol. Every wait has a limit; an engine that dies or stays silent is lost, and
EngineLostError names the cause.
"""

from __future__ import annotations

import re
import time
from collections.abc import Sequence
from dataclasses import dataclass

from engine.util.engine_process import EngineProcess

ANSWER = "==="
COMPLAINTS = ("warning ", "error ")  # NTest complains of `go` before a depth
FIELD = re.compile(r"\s*/\s*|\s+")  # Edax writes spaces in place of the protocol's slashes


@dataclass(frozen=True, slots=True)
class NBoardMove:
    """An engine's answer to `go`."""

    move: str  # the move as written; empty if the answer has none
    evaluation: float | None  # discs, for the side to move
    nodes: int | None  # nodes of the last nodestats


def parse_answer(line: str, nodes: int | None = None) -> NBoardMove:
    """Returns the move of a line such as "=== F5/1.5/2.0" or "=== f5 1.50 2.0".

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
    """A running engine after its first ping. The constructor raises EngineLostError."""

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
        """Pings and skips all lines up to the answer: the engine is idle after it."""
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
        """Sets the depth of the search in the middle game, in plies."""
        self.synchronize()
        self.write(f"set depth {depth}")

    def set_game(self, ggf: str) -> None:
        """Sets the position to the end of this game."""
        self.synchronize()
        self.write(f"set game {ggf}")

    def play(self, move: str) -> None:
        """Sends a move of either side."""
        self.synchronize()
        self.write(f"move {move}")

    def go(self) -> NBoardMove:
        """Returns the engine's move. The engine waits for play() before it makes the move."""
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
