"""A run that takes a second: the smallest board, network and searches that have everything."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from itertools import count
from pathlib import Path

import torch
from torch import Tensor

from engine.training.alphazero.learning import LearningSettings
from engine.training.alphazero.loop import SelfPlayRun, Setting, iterations
from engine.training.alphazero.recipe import Recipe
from engine.training.alphazero.recipes import SPARRING
from engine.training.alphazero.strength import Rival
from engine.training.alphazero.window import Growth
from engine.training.common.metrics import Metrics, Row, read_metrics
from engine.training.common.workers import LocalWorkers

TINY = replace(
    SPARRING["connect4"],
    width=4,
    height=4,
    blocks=1,
    channels=8,
    play={**SPARRING["connect4"].play, "visits": 12, "fast_visits": 6, "solve_empties": 6},
    games=6,
    first_games=8,
    iterations=4,
    growth=Growth(first=100),
    learning=LearningSettings(batch=32, settling=2, warm_up=4),
    rival=Rival("random", games=2, visits=4, every=2),
)


class Unwatched:
    """Nobody looks on."""

    def playing(self, games: int) -> None:
        """Nothing."""

    def learning(self, batches: int) -> None:
        """Nothing."""


def setting_in(folder: Path, recipe: Recipe = TINY, seed: int = 5) -> Setting:
    ticks = count()
    clock: Callable[[], float] = lambda: float(next(ticks))  # noqa: E731
    return Setting(
        name="tiny",
        recipe=recipe,
        folder=folder,
        seed=seed,
        workers=LocalWorkers(1),
        threads=1,
        backend="native",
        dtype=torch.float32,
        clock=clock,
    )


def run_to_the_end(folder: Path, recipe: Recipe = TINY, most: int | None = None) -> SelfPlayRun:
    """A run from where the folder says it is."""
    torch.set_num_threads(1)
    folder.mkdir(parents=True, exist_ok=True)
    with Metrics(folder) as metrics:
        run = SelfPlayRun(setting_in(folder, recipe), metrics)
        for _ in iterations(run, Unwatched(), most=most or recipe.iterations, seconds=None):
            pass
        run.close(Unwatched())
    return run


def numbers(folder: Path) -> list[Row]:
    """The metrics but for how long things took."""
    return [
        {name: value for name, value in row.items() if not name.endswith("_seconds")}
        for row in read_metrics(folder)
    ]


def weights(run: SelfPlayRun) -> dict[str, Tensor]:
    return {name: part.clone() for name, part in run.learner.tensors().items()}


def same(one: dict[str, Tensor], other: dict[str, Tensor]) -> bool:
    return one.keys() == other.keys() and all(torch.equal(one[name], other[name]) for name in one)
