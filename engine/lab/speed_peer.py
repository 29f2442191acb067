"""The speed of another program's search, by GTP.

KataGo prints an account of a search on stderr, with its evaluations. Any other program that
analyses is measured by the visits of its last line.
"""

from __future__ import annotations

import time
from collections.abc import Iterator

from engine.lab.speed import BenchPosition, SearchSpeed
from engine.match.gtp_client import GtpClient, root_visits
from engine.util.engine_process import EngineRefusedError

KATAGO_SEARCH = "kata-search_debug"
ACCOUNT = ("Root visits", "NN rows", "Time taken")  # of a search, in KataGo's words
ANALYZE_COMMANDS = ("kata-analyze", "lz-analyze")
REPORTS = 8  # analysis lines a measurement
MOST = str(1 << 50)  # KataGo's number without limit
PATIENCE_SECONDS = 60.0  # after the end of a search


class Peer:
    """Another program's search, measured by KataGo's account of it, else by its analysis lines."""

    def __init__(self, engine: GtpClient) -> None:
        self.engine = engine
        known = engine.commands
        self._accounts = KATAGO_SEARCH in known
        found = [name for name in ANALYZE_COMMANDS if name in known]
        if not found:
            wanted = " or ".join(ANALYZE_COMMANDS)
            raise EngineRefusedError(f"{engine.words[0]!r} lists neither {wanted}")
        self._analyze = found[0]

    @property
    def title(self) -> str:
        """Returns name and version, as the program reports them."""
        return " ".join(self.engine.ask_all(["name", "version"])).strip()

    def speed(self, place: BenchPosition, seconds: float) -> SearchSpeed:
        """Returns the rates of one search of `seconds`, from an empty tree and cache."""
        self.set_up(place)
        if self._accounts:
            return self._accounted(place, seconds)
        began = time.perf_counter()
        reached, at = 0, began
        for line in self.lines(place, seconds):
            visits = root_visits(line)
            if visits is not None:
                reached, at = visits, time.perf_counter()
        return SearchSpeed(reached / (at - began) if at > began else 0.0, None)

    def _accounted(self, place: BenchPosition, seconds: float) -> SearchSpeed:
        """Returns the rates that KataGo prints of a search; EngineRefusedError without them."""
        limits = [("maxTime", f"{seconds:g}"), ("maxVisits", MOST), ("maxPlayouts", MOST)]
        self.engine.ask_all([f"kata-set-param {name} {value}" for name, value in limits])
        self.engine.stderr.clear()
        began = self.engine.processor_seconds()
        self.engine.ask(f"{KATAGO_SEARCH} {_mover(place)}", seconds=seconds + PATIENCE_SECONDS)
        worked = self.engine.processor_seconds() - began
        ends = time.monotonic() + PATIENCE_SECONDS
        while time.monotonic() < ends:
            counts = dict(filter(None, map(_count, list(self.engine.stderr))))
            if set(counts) == set(ACCOUNT):
                visits, rows, seconds = (counts[name] for name in ACCOUNT)
                return SearchSpeed(visits / seconds, rows / seconds, worked / seconds)
            time.sleep(0.01)
        raise EngineRefusedError(f"{self.title} prints no account of its search")

    def set_up(self, place: BenchPosition) -> None:
        """Sets up the position, with an empty tree and cache."""
        commands = [f"boardsize {place.size}", "clear_board", f"komi {place.komi:g}"]
        if "kata-set-rules" in self.engine.commands:
            commands.append("kata-set-rules tromp-taylor")
        if "clear_cache" in self.engine.commands:
            commands.append("clear_cache")
        commands += [f"play {'bw'[n % 2]} {move}" for n, move in enumerate(place.moves)]
        self.engine.ask_all(commands)

    def lines(self, place: BenchPosition, seconds: float) -> Iterator[str]:
        """Yields the lines of an analysis of the present position, REPORTS of them at most."""
        interval = max(1, round(seconds * 100 / REPORTS))
        root = " rootInfo true" if self._analyze.startswith("kata") else ""
        return self.engine.analyze(f"{self._analyze} {_mover(place)} {interval}{root}", seconds)


def _mover(place: BenchPosition) -> str:
    """Returns the color to move, in GTP's words."""
    return "bw"[len(place.moves) % 2]


def _count(line: str) -> tuple[str, float] | None:
    """Returns name and number of a line of the account; None for any other line."""
    name, _, number = line.partition(": ")
    return (name, float(number)) if name in ACCOUNT else None
