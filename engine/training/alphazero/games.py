"""Games that a network plays against itself: the core plays them, an evaluator judges.

Two pools of games in two threads share the evaluator, so that the tree work of one overlaps with
the arithmetic of the other. What comes out depends on the network and the numbers alone, provided
that the evaluator gives a row the same answer in any company.
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
}
POOLS = 2
SLOTS = 2  # of a pool
SMALLEST_SLOT = 8  # rows: driving a batch costs more than an evaluation of a small network
MOST_IDLE_TURNS = 1000  # of a pool that neither waits nor moves on: a bug, not a hang

T = TypeVar("T")
Tell = Callable[[int], None]  # told how many more games are over


@dataclass(frozen=True)
class SelfPlayTask:
    """A task for workers: to play the games of some numbers by one network."""

    game: str  # a key of engine/games/table.py's GAMES
    width: int
    height: int
    network: Architecture | None  # without one, the game's quick games judge
    play: Settings  # fields of the core's SelfPlaySettings
    search: Settings  # fields of its SearchSettings
    seed: int
    threads: int
    backend: str = "auto"
    territory: Territory | None = None  # see Recipe

    def __call__(self, numbers: range, tell: Tell) -> SampleRows:
        """The rows of the games of these numbers that have a policy to learn, in their order.

        `tell` is called in several threads.
        """
        half = (len(numbers) + 1) // POOLS
        told = _ProgressReporter(tell)
        evaluator = self.evaluator()
        parts = [part for part in (numbers[:half], numbers[half:]) if part]
        drives = [_Drive(self, evaluator, part, told) for part in parts]
        with ThreadPoolExecutor(max_workers=POOLS) as pool:
            rows = joined(list(pool.map(_Drive.run, drives)))
        return rows.part(rows.policy_weight > 0)

    def start(self) -> Position:
        """The position that games begin at."""
        start = start_of(self.game, self.width, self.height)
        return start if self.territory is None else self.territory.weigh(start)

    def evaluator(self) -> Evaluator:
        """What judges the positions."""
        if self.network is None:
            return RolloutEvaluator(self.game, seed=self.seed)
        return start_network(self.network, self.backend, self.threads)


def start_network(network: Architecture, backend: str, threads: int) -> Evaluator:
    """The network, ready to run."""
    return BACKENDS[choose_backend(backend)].start(network, "auto", threads)


class _ProgressReporter:
    """What the pools tell; the first that fails ends the others."""

    def __init__(self, tell: Tell) -> None:
        self.failed = False
        self._tell = tell
        self._lock = threading.Lock()

    def tell(self, games: int) -> None:
        """So many more games of a pool are over."""
        with self._lock:
            self._tell(games)


class _Drive:
    """One pool of games and its slots, driven by one thread."""

    def __init__(
        self, games: SelfPlayTask, evaluator: Evaluator, numbers: range, told: _ProgressReporter
    ) -> None:
        self._told = told
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
        """Plays all games."""
        waiting: deque[tuple[int, Slot]] = deque()
        try:
            return self._play(waiting)
        except BaseException:
            self._told.failed = True
            for _, slot in waiting:
                slot.wait()
            raise

    def _play(self, waiting: deque[tuple[int, Slot]]) -> SampleRows:
        pool, idle = self._pool, list(self._slots)
        finished, idle_turns = 0, 0
        while not pool.over:
            if self._told.failed:
                raise RuntimeError("the games beside have failed")
            while idle:
                number, slot = idle[-1]
                rows = pool.select(number, slot.spatial, slot.globals, self._capacity)
                if not rows:
                    break
                slot.start(rows)
                waiting.append(idle.pop())
            if pool.finished != finished:
                self._told.tell(pool.finished - finished)
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


def search_settings(told: Settings) -> SearchSettings:
    """The core's settings with these fields changed."""
    return _changed(SearchSettings(), told)


def play_settings(told: Settings) -> SelfPlaySettings:
    """The core's settings with these fields changed."""
    return _changed(SelfPlaySettings(), told)


def _changed(settings: T, told: Settings) -> T:
    for name, value in told.items():
        if not hasattr(settings, name):
            raise ValueError(f"{type(settings).__name__} has no {name!r}")
        setattr(settings, name, value)
    return settings
