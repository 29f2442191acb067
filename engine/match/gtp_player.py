"""A GTP engine as a player: game, limit and moves as GTP commands, in Go and in other games.

Other games than Go use `set_game`, if the engine knows it, and the game's own coordinates. Forced
passes are sent as any move. An engine that inserts forced passes by itself may refuse one, and the
refusal is ignored. Edax does so, but accepts passes sent in time; the player needs no list of
engines.
"""

from __future__ import annotations

import contextlib
import re
import time
from collections.abc import Sequence

from engine.games.position import Position
from engine.match.game_spec import GameSpec
from engine.match.gtp_client import GtpClient, root_visits
from engine.match.player import OWN_SETTINGS, Move, MoveBudget, read_answer
from engine.util.engine_process import EngineRefusedError

COLORS = "bw"
NO_VISIT_LIMIT = 1_000_000_000
ONLY_AT_THE_END = 1_000_000  # centiseconds between reports: longer than any move
STDERR_VISITS = re.compile(r"^MALKOVICH:.*?Visits (\d+)")  # KataGo with ogsChatToStderr


class GtpPlayer:
    """A Player that is a GTP engine in its own process."""

    def __init__(
        self,
        text: str,
        command: str | Sequence[str],
        budget: MoveBudget,
        patience: float,
    ) -> None:
        self.text = text
        self.engine = GtpClient(command, seconds=patience)
        self.limited_by, self._clock_seconds = limit(self.engine, budget)
        self._stderr_tells = False

    def begin(self, start: GameSpec, _seed: int) -> None:
        """Sets up a new game."""
        self._start = start
        known = self.engine.commands
        other = start.game != "go"
        square = start.width == start.height
        size = f"boardsize {start.width}"
        commands = [
            *([f"set_game {start.kind.title}"] if other and "set_game" in known else []),
            size if square else f"rectangular_boardsize {start.width} {start.height}",
            "clear_board",
            *(["clear_cache"] if "clear_cache" in known else []),
            *([] if other else self._go_commands(start)),
        ]
        self.engine.ask_all(commands)
        for color, move in start.opening_moves():
            self.watch(color, move)

    def _go_commands(self, start: GameSpec) -> list[str]:
        commands = [f"komi {start.komi:g}"]
        if "kata-set-rules" in self.engine.commands:
            commands.insert(0, f"kata-set-rules {start.rules}")
        if start.handicap:
            commands.append("set_free_handicap " + " ".join(map(start.write, start.handicap)))
        return commands

    def watch(self, color: int, move: int) -> None:
        """Sends a move; an engine that refuses a forced pass is assumed to pass by itself."""
        forced = self._start.passes_are_forced and self._start.write(move) == "pass"
        try:
            self.engine.ask(f"play {COLORS[color]} {self._start.write(move)}")
        except EngineRefusedError:
            if not forced:
                raise

    def choose(self, position: Position) -> Move:
        """Returns the engine's move, with its reported visits."""
        color = position.to_move
        self._tell_clock(color)
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
        text = lines[-1].split()[-1] if lines else ""
        return Move(read_answer(self._start, text), seconds, tuple(visits))

    def _tell_clock(self, color: int) -> None:
        """Sends the time for this move if it has a limit: Edax obeys nothing else."""
        if self._clock_seconds is not None and "time_left" in self.engine.commands:
            with contextlib.suppress(EngineRefusedError):
                self.engine.ask(f"time_left {COLORS[color]} {self._clock_seconds} 1")

    def _stderr_visits(self) -> list[int]:
        """Returns the visits reported on stderr since the last call, one number a move."""
        counts = []
        while self.engine.stderr:
            if match := STDERR_VISITS.match(self.engine.stderr.popleft()):
                counts.append(int(match[1]))
        self._stderr_tells = self._stderr_tells or bool(counts)
        return counts

    def finish(self, position: Position, winner: int | None) -> None:
        """Does nothing: GTP has no command for it."""

    def final_score(self) -> str | None:
        """Returns the engine's result; None if it reports none."""
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


def limit(engine: GtpClient, budget: MoveBudget) -> tuple[str, int | None]:
    """Sends the limit to `engine`; returns it in words, and the seconds if a clock must state it.

    Raises EngineRefusedError. An engine with KataGo's parameters gets those, another one standard
    time settings. An engine with neither plays by its own command line, and the words say this.
    """
    if budget.visits is None and budget.seconds is None:
        return OWN_SETTINGS, None
    if "kata-set-param" in engine.commands:
        engine.ask(f"kata-set-param maxVisits {budget.visits or NO_VISIT_LIMIT}")
        if budget.seconds is not None:
            engine.ask(f"kata-set-param maxTime {budget.seconds:g}")
        words = []
        if budget.visits is not None:
            words.append(f"{budget.visits} visits a move")
        if budget.seconds is not None:
            words.append(f"{budget.seconds:g} s a move")
        return ", ".join(words), None
    if budget.seconds is not None and "time_settings" in engine.commands:
        whole = max(1, round(budget.seconds))
        engine.ask(f"time_settings 0 {whole} 1")
        return f"{whole} s a move by time_settings", whole
    return OWN_SETTINGS, None
