"""Games of a network against itself: the core plays them, an evaluator judges.

Two pools of games in two threads share the evaluator: the tree work of one overlaps with the
arithmetic of the other. The result depends on the network and the game numbers alone, provided the
evaluator's answer for a row is independent of the other rows.
"""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any, TypeVar

from engine._core import (
    Connect4SelfPlay,
    DarkChessSelfPlay,
    GoSelfPlay,
    OthelloSelfPlay,
    SearchSettings,
    SelfPlaySettings,
)
from engine.games.evaluator import Evaluator, Slot
from engine.games.position import Position
from engine.networks.architecture import Architecture
from engine.networks.rollout_evaluator import RolloutEvaluator
from engine.networks.runtime import BACKENDS, choose_backend
from engine.search.search import network_scales
from engine.training.alphazero.recipe import Settings
from engine.training.alphazero.start import start_of
from engine.training.common.rows import SampleRows, joined, rows_of
from engine.training.go.territory import Territory

SELF_PLAY: dict[str, Callable[..., Any]] = {
    "othello": OthelloSelfPlay,
    "connect4": Connect4SelfPlay,
    "go": GoSelfPlay,
    "darkchess": DarkChessSelfPlay,
}
POOLS = 2
SLOTS = 2  # of a pool
SMALLEST_SLOT = 8  # rows: driving a batch costs more than an evaluation of a small network
MOST_IDLE_TURNS = 1000  # of a pool without waiting and progress: a bug, not a hang

T = TypeVar("T")
Tell = Callable[[int], None]  # receives the number of further finished games


@dataclass(frozen=True)
class SelfPlayTask:
    """A task for workers: the games of some numbers, played by one network."""

    game: str  # a key of engine/games/table.py's GAMES
    width: int
    height: int
    network: Architecture | None  # None: the game's rollouts judge
    play: Settings  # fields of the core's SelfPlaySettings
    search: Settings  # fields of its SearchSettings
    seed: int
    threads: int
    backend: str = "auto"
    territory: Territory | None = None  # see Recipe

    def __call__(self, numbers: range, tell: Tell) -> SampleRows:
        """Plays the games of these numbers; returns their rows with a policy target, in order.

        `tell` is called in several threads.
        """
        half = (len(numbers) + 1) // POOLS
        reporter = _ProgressReporter(tell)
        evaluator = self.evaluator()
        parts = [part for part in (numbers[:half], numbers[half:]) if part]
        drives = [_Drive(self, evaluator, part, reporter) for part in parts]
        with ThreadPoolExecutor(max_workers=POOLS) as pool:
            try:
                rows = joined(list(pool.map(_Drive.run, drives)))
            except BaseException:
                reporter.failed = True  # at an interrupt too: the block waits for the games
                raise
        return rows.part(rows.policy_weight > 0)

    def start(self) -> Position:
        """Returns the starting position of the games."""
        start = start_of(self.game, self.width, self.height)
        return start if self.territory is None else self.territory.weigh(start)

    def evaluator(self) -> Evaluator:
        """Returns the evaluator of the positions."""
        if self.network is None:
            return RolloutEvaluator(self.game, seed=self.seed)
        return start_network(self.network, self.backend, self.threads)


def start_network(network: Architecture, backend: str, threads: int) -> Evaluator:
    """Returns the network, ready to run."""
    return BACKENDS[choose_backend(backend)].start(network, "auto", threads)


class _ProgressReporter:
    """Forwards the pools' progress; a failure in one pool ends the others."""

    def __init__(self, tell: Tell) -> None:
        self.failed = False
        self._tell = tell
        self._lock = threading.Lock()

    def tell(self, games: int) -> None:
        """Reports further finished games of a pool."""
        with self._lock:
            self._tell(games)


class _Drive:
    """One pool of games and its slots, driven by one thread."""

    def __init__(
        self, games: SelfPlayTask, evaluator: Evaluator, numbers: range, reporter: _ProgressReporter
    ) -> None:
        self._reporter = reporter
        capacity = max(SMALLEST_SLOT, evaluator.preferred_rows)
        slots = [evaluator.open(games.width, games.height, capacity) for _ in range(SLOTS)]
        self._slots = list(enumerate(slots))
        self._capacity = capacity
        self._pool = SELF_PLAY[games.game](
            games.start(),
            search_settings(games.search),
            play_settings(games.play),
            network_scales(evaluator.network),
            games=len(numbers),
            at_once=min(len(numbers), SLOTS * capacity),
            first_game=numbers.start,
            seed=games.seed,
        )

    def run(self) -> SampleRows:
        """Plays all games; returns their rows."""
        waiting: deque[tuple[int, Slot]] = deque()
        try:
            return self._play(waiting)
        except BaseException:
            self._reporter.failed = True
            for _, slot in waiting:
                slot.wait()
            raise

    def _play(self, waiting: deque[tuple[int, Slot]]) -> SampleRows:
        pool, idle = self._pool, list(self._slots)
        finished, idle_turns = 0, 0
        while not pool.over:
            if self._reporter.failed:
                raise RuntimeError("the games beside have failed")
            while idle:
                number, slot = idle[-1]
                rows = pool.select(number, slot.spatial, slot.globals, self._capacity)
                if not rows:
                    break
                slot.start(rows)
                waiting.append(idle.pop())
            if pool.finished != finished:
                self._reporter.tell(pool.finished - finished)
                finished = pool.finished
            if not waiting:
                idle_turns += 1
                if idle_turns > MOST_IDLE_TURNS:
                    raise RuntimeError("the games stand still")
                continue
            idle_turns = 0
            number, slot = waiting[0]
            slot.wait()
            idle.append(waiting.popleft())
            pool.update(number, slot.policy, slot.value, slot.misc, slot.ownership)
        return rows_of(pool.take())


def search_settings(changes: Settings) -> SearchSettings:
    """Returns the core's search settings with these fields changed.

    ValueError for an unknown one.
    """
    return _changed(SearchSettings(), changes)


def play_settings(changes: Settings) -> SelfPlaySettings:
    """Returns the core's self-play settings with these fields changed.

    ValueError for an unknown one.
    """
    return _changed(SelfPlaySettings(), changes)


def _changed(settings: T, changes: Settings) -> T:
    for name, value in changes.items():
        if not hasattr(settings, name):
            raise ValueError(f"{type(settings).__name__} has no {name!r}")
        setattr(settings, name, value)
    return settings
