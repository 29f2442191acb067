"""The controller's side of UGI, and of its model UCI.

Moves are the engine's words, of any game. Unknown lines are skipped, by both protocols. Every wait
has a limit; an engine that dies or stays silent is lost, and EngineLostError names the cause.
"""

from __future__ import annotations

import re
import shlex
import time
from collections import deque
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from engine.util.engine_process import EngineProcess

Dialect = Literal["ugi", "uci"]
NODES = re.compile(r"\bnodes (\d+)\b", re.ASCII)
PREFIX = "option."  # before an option's name in a command, as cutechess-cli has it
OPTION = re.compile(r"option name (.+?) type \S+.*")


@dataclass(frozen=True, slots=True)
class BestMove:
    """An engine's answer to `go`."""

    move: str  # the move as written; empty if the answer has none
    nodes: int | None  # the highest count of the info lines


class UgiClient(EngineProcess):
    """A running engine after `ugiok` or `uciok`. The constructor raises EngineLostError."""

    def __init__(
        self, command: str | Sequence[str], *, dialect: Dialect = "ugi", seconds: float = 60.0
    ) -> None:
        super().__init__(command, seconds=seconds)
        self.dialect = dialect
        self.name = ""
        self.options: frozenset[str] = frozenset()  # names
        try:
            self._shake_hands()
        except BaseException:
            self.kill()
            raise

    def _shake_hands(self) -> None:
        options = set()
        for line in self._until(self.dialect, f"{self.dialect}ok"):
            if line.startswith("id name "):
                self.name = line.removeprefix("id name ").strip()
            elif found := OPTION.fullmatch(line):
                options.add(found[1])
        self.options = frozenset(options)

    def _until(self, command: str, last: str) -> Iterator[str]:
        """Yields the lines of the answer to `command`, up to the one with `last` as first word."""
        self.write(command)
        deadline = time.monotonic() + self.seconds
        line = ""
        while line.partition(" ")[0] != last:
            line = self.line(command, deadline).strip()
            yield line

    def set_option(self, name: str, value: object) -> None:
        """Sets an option; the protocols have no reply to it."""
        self.write(f"setoption name {name} value {value}")

    def new_game(self) -> None:
        """Announces a new game, and waits until the engine is ready."""
        self.write(f"{self.dialect}newgame")
        deque(self._until("isready", "readyok"), maxlen=0)

    def best_move(self, moves: Sequence[str], limits: str) -> BestMove:
        """Returns the answer to `go LIMITS` after `moves` from the starting position."""
        self.write(" ".join(["position startpos", *(["moves", *moves] if moves else [])]))
        nodes: int | None = None
        line = ""
        for line in self._until(f"go {limits}", "bestmove"):
            if line.startswith("info") and (found := NODES.search(line)):
                nodes = max(nodes or 0, int(found[1]))
        words = line.split()
        return BestMove(words[1] if len(words) > 1 else "", nodes)


def with_options(command: str) -> tuple[list[str], dict[str, str]]:
    """Returns the words of a command without its options, and the options by name.

    >>> with_options("stockfish option.UCI_Elo=1500 'option.Skill Level=3'")
    (['stockfish'], {'UCI_Elo': '1500', 'Skill Level': '3'})
    """
    words = shlex.split(command)
    own = [word for word in words if not (word.startswith(PREFIX) and "=" in word)]
    parted = [word[len(PREFIX) :].partition("=") for word in words if word not in own]
    return own, {name: value for name, _, value in parted}
