"""Speeds on one position: of a network alone and of the search.

The two measures and those of speed_peer.py are comparable. Seconds are wall clock, at the present
load of the machine. The caller repeats the measurements.
"""

from __future__ import annotations

import json
import time
from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from engine._core import EvaluationCache, GoPosition, GoRules
from engine.games.evaluator import Evaluator, Slot
from engine.games.position import Position
from engine.games.table import read_vertex
from engine.search.search import Search, SearchSettings
from engine.values import Limit

WARM_UP_SECONDS = 0.2
POSITIONS = Path(__file__).with_name("bench_positions.json")


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
    """The rates of one search from scratch, each a second; None: the program reports none."""

    visits: float | None
    evaluations: float | None
    processor: float | None = None  # processor seconds

    @property
    def per_processor_second(self) -> float | None:
        """Returns evaluations a second of processor time: other programs hardly disturb it."""
        if self.evaluations is None or not self.processor:
            return None
        return self.evaluations / self.processor


def network_speed(evaluator: Evaluator, places: Sequence[BenchPosition], seconds: float) -> float:
    """Returns evaluations a second with every slot in use."""
    return evaluation_speed(evaluator, [place.position() for place in places], seconds)


def evaluation_speed(evaluator: Evaluator, positions: Sequence[Position], seconds: float) -> float:
    """Returns evaluations a second of positions of one board size, with every slot in use."""
    rows, first = evaluator.preferred_rows, positions[0]
    slots = [evaluator.open(first.width, first.height, rows) for _ in range(evaluator.slots)]
    fill(slots, positions)
    _keep_busy(slots, rows, WARM_UP_SECONDS)
    began = time.perf_counter()
    done = _keep_busy(slots, rows, seconds)
    return done / (time.perf_counter() - began)


def fill(slots: Sequence[Slot], positions: Sequence[Position]) -> None:
    """Writes the features of the positions into all rows, each time in another symmetry."""
    count = 0
    for slot in slots:
        for row in range(len(slot.spatial)):
            position = positions[count % len(positions)]
            features = position.features(count % position.symmetry_count)
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
    """Our search on boards of one size, each time from scratch: no tree and no cache is reused.

    cache_entries: the evaluations that one search may keep; 0: none.
    """

    def __init__(self, evaluator: Evaluator, cache_entries: int) -> None:
        self._cache = EvaluationCache(cache_entries) if cache_entries else None
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
        if self._cache is not None:
            self._cache.clear()
        before = self._search.tree.rows_evaluated
        began, worked = time.perf_counter(), time.process_time()
        report = self._search.run(limit)
        worked, seconds = time.process_time() - worked, time.perf_counter() - began
        evaluations = self._search.tree.rows_evaluated - before
        visits = report.root.visits
        return SearchSpeed(visits / seconds, evaluations / seconds, worked / seconds)
