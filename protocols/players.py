"""Who plays in a match: players written as text, behind one small interface.

Knows how a player's text becomes a running engine and how an engine is told a game, a limit and a
move. Does not know any rules: whether a move is allowed, and who won, is the referee's to say.

    gtp:COMMAND      a GTP engine, by its command line: "gtp:gnugo --mode gtp --level 10"
    sparring:full    this engine at full strength; options of `sparring gtp` may follow
"""

from __future__ import annotations

import re
import shlex
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Protocol

from protocols.engine_process import EngineRefusedError
from protocols.gtp_client import GtpEngine, root_visits

COLORS = "bw"
NO_VISIT_LIMIT = 1_000_000_000
ONLY_AT_THE_END = 1_000_000  # centiseconds between reports: longer than any move
STDERR_VISITS = re.compile(r"^MALKOVICH:.*?Visits (\d+)")  # KataGo with ogsChatToStderr


class PlayerTextError(ValueError):
    """A player's text names no player; the message quotes it."""


@dataclass(frozen=True, slots=True)
class Budget:
    """What every move may cost. None: the engine's own settings decide."""

    visits: int | None = None
    seconds: float | None = None


@dataclass(frozen=True, slots=True)
class Start:
    """How a game begins. Vertices are GTP's, as "D4"."""

    width: int
    height: int
    rules: str
    komi: float
    opening: tuple[str, ...] = ()  # moves in turn, Black first
    handicap: tuple[str, ...] = ()  # Black stones placed before; White is first then


@dataclass(frozen=True, slots=True)
class Move:
    """A player's choice: a vertex, "pass" or "resign" in lower case, and what it cost."""

    text: str
    seconds: float
    visits: tuple[int, ...]  # what was told since the last choice: none, one, or late ones too


class Player(Protocol):
    """Somebody to play against. Every method may raise EngineRefusedError or EngineLostError."""

    text: str
    limited_by: str  # in words, what each of its moves may cost

    def begin(self, start: Start) -> None:
        """Sets up a new game."""

    def watch(self, color: int, move: str) -> None:
        """Tells the player a move of its opponent."""

    def choose(self, color: int) -> Move:
        """The player's move, played on its own board too."""

    def final_score(self) -> str | None:
        """What the player takes for the result, as "B+3.5"; None when it can't say."""

    def close(self) -> None:
        """Ends the player, waiting a little."""

    def kill(self) -> None:
        """Ends the player at once."""


class GtpPlayer:
    """A Player that is a GTP engine of its own process."""

    def __init__(
        self, text: str, command: str | Sequence[str], budget: Budget, patience: float
    ) -> None:
        self.text = text
        self.engine = GtpEngine(command, seconds=patience)
        self.limited_by = limit(self.engine, budget)
        self._stderr_tells = False

    def begin(self, start: Start) -> None:
        """Sets up a new game."""
        known = self.engine.commands
        square = start.width == start.height
        size = f"boardsize {start.width}"
        commands = [
            size if square else f"rectangular_boardsize {start.width} {start.height}",
            "clear_board",
            *(["clear_cache"] if "clear_cache" in known else []),
            *([f"kata-set-rules {start.rules}"] if "kata-set-rules" in known else []),
            f"komi {start.komi:g}",
        ]
        if start.handicap:
            commands.append("set_free_handicap " + " ".join(start.handicap))
        first = 1 if start.handicap else 0
        for number, move in enumerate(start.opening):
            commands.append(f"play {COLORS[(number + first) % 2]} {move}")
        self.engine.ask_all(commands)

    def watch(self, color: int, move: str) -> None:
        """Tells the engine a move of its opponent."""
        self.engine.ask(f"play {COLORS[color]} {move}")

    def choose(self, color: int) -> Move:
        """The engine's move, with the visits that it tells of itself."""
        reporting = "kata-genmove_analyze" in self.engine.commands and not self._stderr_tells
        command = f"genmove {COLORS[color]}"
        if reporting:
            command = (
                f"kata-genmove_analyze {COLORS[color]} {ONLY_AT_THE_END} maxmoves 1 rootInfo true"
            )
        began = time.monotonic()
        lines = [line for line in self.engine.stream(command) if line]
        seconds = time.monotonic() - began
        visits = self._stderr_visits()
        if not visits:
            counts = [count for line in lines if (count := root_visits(line)) is not None]
            visits = counts[-1:]
        return Move(lines[-1].split()[-1].lower() if lines else "", seconds, tuple(visits))

    def _stderr_visits(self) -> list[int]:
        """What the engine told on stderr since the last call, a number a move."""
        counts = []
        while self.engine.stderr:
            if found := STDERR_VISITS.match(self.engine.stderr.popleft()):
                counts.append(int(found[1]))
        self._stderr_tells = self._stderr_tells or bool(counts)
        return counts

    def final_score(self) -> str | None:
        """What the engine takes for the result; None when it does not say."""
        if "final_score" not in self.engine.commands:
            return None
        try:
            return self.engine.ask("final_score")
        except EngineRefusedError:
            return None

    def close(self) -> None:
        """Asks the engine to quit."""
        self.engine.close()

    def kill(self) -> None:
        """Ends the engine at once."""
        self.engine.kill()


def limit(engine: GtpEngine, budget: Budget) -> str:
    """Words for the limit each move got, after telling `engine`; raises EngineRefusedError.

    KataGo's parameters where the engine has them, else standard time settings; an engine that
    has neither plays by its own command line, and the words say so.
    """
    if budget.visits is None and budget.seconds is None:
        return "its own settings"
    if "kata-set-param" in engine.commands:
        engine.ask(f"kata-set-param maxVisits {budget.visits or NO_VISIT_LIMIT}")
        if budget.seconds is not None:
            engine.ask(f"kata-set-param maxTime {budget.seconds:g}")
        words = []
        if budget.visits is not None:
            words.append(f"{budget.visits} visits a move")
        if budget.seconds is not None:
            words.append(f"{budget.seconds:g} s a move")
        return ", ".join(words)
    if budget.seconds is not None and "time_settings" in engine.commands:
        whole = max(1, round(budget.seconds))
        engine.ask(f"time_settings 0 {whole} 1")
        return f"{whole} s a move by time_settings"
    return "its own settings"


def _gtp(rest: str) -> list[str]:
    return shlex.split(rest)


def _sparring(rest: str) -> list[str]:
    persona, *options = shlex.split(rest)
    if persona != "full":
        raise PlayerTextError(f"no persona {persona!r}: full is the only one")
    return [sys.executable, "-m", "protocols.cli", "gtp", *options]


COMMAND_LINES: dict[str, Callable[[str], list[str]]] = {"gtp": _gtp, "sparring": _sparring}


def command_line(text: str) -> list[str]:
    """The words that start the player `text` says; raises PlayerTextError."""
    kind, _, rest = text.partition(":")
    if kind not in COMMAND_LINES or not rest.strip():
        forms = " or ".join(f"{kind}:..." for kind in COMMAND_LINES)
        raise PlayerTextError(f"no player {text!r}: write {forms}")
    return COMMAND_LINES[kind](rest)


def start_player(text: str, budget: Budget, patience: float) -> Player:
    """The running player that `text` says, which answers within `patience` seconds or is lost.

    Raises PlayerTextError, EngineLostError and EngineRefusedError.
    """
    return GtpPlayer(text, command_line(text), budget, patience)
