"""Speeds on one position: of a network alone, of the search, and of another program by GTP.

Each has a measure comparable with the others'. Seconds are wall clock, at the present load of the
machine. The caller repeats the measurements.
"""

from __future__ import annotations

import json
import time
from collections import deque
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from engine._core import EvaluationCache, GoPosition, GoRules
from engine.games.evaluator import Evaluator, Slot
from engine.games.table import read_vertex
from engine.match.engine_process import EngineRefusedError
from engine.match.gtp_client import GtpClient, root_visits
from engine.search.search import Search, SearchSettings
from engine.values import Limit

WARM_UP_SECONDS = 0.2
POSITIONS = Path(__file__).with_name("bench_positions.json")
ANALYZE_COMMANDS = ("kata-analyze", "lz-analyze")
REPORTS = 8  # analysis lines a measurement


@dataclass(frozen=True, slots=True)
class BenchPosition:
    """A position to measure on: its moves under Tromp-Taylor rules."""

    size: int
    moves: tuple[str, ...]
    komi: float = 7.5

    def position(self) -> GoPosition:
        """Returns the position; raises ValueError for an illegal move."""
        position = GoPosition(self.size, self.size, GoRules(), self.komi)
        for move in self.moves:
            position.play(read_vertex(move, self.size, self.size))
        return position


def stored_places() -> dict[int, list[BenchPosition]]:
    """Returns the bundled positions, by board size."""
    stored = json.loads(POSITIONS.read_text())
    return {
        int(size): [BenchPosition(int(size), tuple(moves.split())) for moves in rows]
        for size, rows in stored.items()
    }


@dataclass(frozen=True, slots=True)
class SearchSpeed:
    """The rates of one search from scratch."""

    visits: float
    evaluations: float


def network_speed(evaluator: Evaluator, places: Sequence[BenchPosition], seconds: float) -> float:
    """Returns evaluations a second with every slot in use."""
    rows = evaluator.preferred_rows
    size = places[0].size
    slots = [evaluator.open(size, size, rows) for _ in range(evaluator.slots)]
    fill(slots, places)
    _keep_busy(slots, rows, WARM_UP_SECONDS)
    began = time.perf_counter()
    done = _keep_busy(slots, rows, seconds)
    return done / (time.perf_counter() - began)


def fill(slots: Sequence[Slot], places: Sequence[BenchPosition]) -> None:
    """Writes the features of the positions into all rows, each time in another symmetry."""
    positions = [place.position() for place in places]
    count = 0
    for slot in slots:
        for row in range(len(slot.spatial)):
            features = positions[count % len(positions)].features(count % 8)
            slot.spatial[row], slot.globals[row] = features
            count += 1


def _keep_busy(slots: Sequence[Slot], rows: int, seconds: float) -> int:
    """Returns the rows evaluated until all slots end; none starts after `seconds`."""
    end = time.perf_counter() + seconds
    flying = deque(slots)
    for slot in slots:
        slot.start(rows)
    done = 0
    while flying:
        slot = flying.popleft()
        slot.wait()
        done += rows
        if time.perf_counter() < end:
            slot.start(rows)
            flying.append(slot)
    return done


class OwnSearch:
    """Our search on boards of one size, each time from scratch: no tree and no cache is reused."""

    def __init__(self, evaluator: Evaluator, cache_entries: int) -> None:
        self._cache = EvaluationCache(cache_entries)
        self._search = Search(evaluator, SearchSettings(), self._cache)

    def speed(self, place: BenchPosition, seconds: float) -> SearchSpeed:
        """Returns visits and evaluations a second over one search of `seconds`."""
        return self._run(place, Limit(max_seconds=seconds))

    def speed_to(self, place: BenchPosition, visits: int) -> SearchSpeed:
        """Returns visits and evaluations a second over one search of `visits`."""
        return self._run(place, Limit(visits=visits))

    def _run(self, place: BenchPosition, limit: Limit) -> SearchSpeed:
        self._search.set_position(place.position())
        self._search.clear()
        self._cache.clear()
        before = self._search.tree.rows_evaluated
        began = time.perf_counter()
        report = self._search.run(limit)
        seconds = time.perf_counter() - began
        evaluations = self._search.tree.rows_evaluated - before
        return SearchSpeed(report.root.visits / seconds, evaluations / seconds)


class Peer:
    """Another program's search, measured by its own analysis lines."""

    def __init__(self, engine: GtpClient) -> None:
        self.engine = engine
        known = engine.commands
        found = [name for name in ANALYZE_COMMANDS if name in known]
        if not found:
            wanted = " or ".join(ANALYZE_COMMANDS)
            raise EngineRefusedError(f"{engine.words[0]!r} lists neither {wanted}")
        self._analyze = found[0]

    @property
    def title(self) -> str:
        """Returns name and version, as the program reports them."""
        return " ".join(self.engine.ask_all(["name", "version"])).strip()

    def speed(self, place: BenchPosition, seconds: float) -> float:
        """Returns visits a second, from an empty tree and cache to the last line in time."""
        self.set_up(place)
        began = time.perf_counter()
        reached, at = 0, began
        for line in self.lines(place, seconds):
            visits = root_visits(line)
            if visits is not None:
                reached, at = visits, time.perf_counter()
        return reached / (at - began) if at > began else 0.0

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
        color = "bw"[len(place.moves) % 2]
        interval = max(1, round(seconds * 100 / REPORTS))
        root = " rootInfo true" if self._analyze.startswith("kata") else ""
        return self.engine.analyze(f"{self._analyze} {color} {interval}{root}", seconds)
