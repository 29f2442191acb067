"""The training of `sparring train` by self-play: settings in, a network and its card out.

The module has the progress bar and the card; loop.py does the run.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from contextlib import closing
from dataclasses import astuple, dataclass, field
from pathlib import Path

import torch
from tqdm import tqdm

from engine._core import CpuNetwork
from engine.games.table import GAMES
from engine.networks.architecture import Architecture
from engine.networks.description import describe
from engine.networks.rollout_evaluator import RolloutEvaluator
from engine.training.alphazero.loop import Row, SelfPlayRun, Setting, iterations
from engine.training.alphazero.recipe import Recipe
from engine.training.common.card import Card, table
from engine.training.common.metrics import Metrics, read_metrics
from engine.training.common.workers import Workers, workers_at

Say = Callable[[str], None]


@dataclass(frozen=True)
class SelfPlayRunSettings:
    """The settings of one run: its network, its folder, its limits and its games."""

    name: str  # of the network
    recipe: Recipe
    output: Path  # a run in the folder is resumed
    # Returns the command line for an equal network of so many iterations, for the card.
    command: Callable[[int], str]
    start: Architecture | None = None  # the first network; None: random weights
    iterations: int | None = None  # in all; None: the recipe's, or as many as the minutes allow
    minutes: float | None = None  # in all; the iteration in which they end is finished
    seed: int = 1
    threads: int = field(default_factory=lambda: os.cpu_count() or 1)  # for the games
    ray: str | None = None  # address of a Ray cluster for the games; "local": one here
    backend: str = "auto"  # for the games


def learn_by_self_play(settings: SelfPlayRunSettings, say: Say) -> None:
    """Learns by the recipe and writes the files; raises SettingError for another run's folder."""
    settings.output.mkdir(parents=True, exist_ok=True)
    # Several threads gain little on networks this small, and lose much on a busy machine.
    torch.set_num_threads(1)
    with closing(workers_at(settings.ray, settings.threads)) as workers:
        _learn(settings, workers, say)
    say(f"wrote {settings.output}")


def _learn(settings: SelfPlayRunSettings, workers: Workers, say: Say) -> None:
    """Runs the folder's training to its end."""
    recipe = settings.recipe
    setting = Setting(
        name=settings.name,
        recipe=recipe,
        folder=settings.output,
        seed=settings.seed,
        workers=workers,
        threads=settings.threads,
        backend=settings.backend,
        dtype=torch.bfloat16 if CpuNetwork.has_bf16() else torch.float32,
        clock=time.monotonic,
        start=settings.start,
    )
    with Metrics(settings.output, say) as metrics:
        run = SelfPlayRun(setting, metrics)
        network = describe(run.network)
        say(f"{settings.name}: {network.trunk}, {network.parameters:,} parameters")
        most = settings.iterations or (None if settings.minutes else recipe.iterations)
        seconds = settings.minutes and settings.minutes * 60
        with _Bar(run, most) as bar:
            for row in iterations(run, bar, most=most, seconds=seconds):
                bar.show(row)
                write_card(run, settings.command(run.progress.iterations))
            run.close(bar)
    points = run.points(settings.seed) if recipe.rival.every else None
    write_card(run, settings.command(run.progress.iterations), points)


def write_card(run: SelfPlayRun, command: str, points: float | None = None) -> None:
    """Writes the card of the playing network, `points` its share against the rival."""
    setting = run.setting
    recipe, network = setting.recipe, describe(run.network)
    losses = _last_losses(recipe, read_metrics(setting.folder)[-1])
    match = "" if points is None else _match(recipe, points)
    card = Card(
        name=setting.name,
        about=f"A network for {GAMES[recipe.game].title} on {recipe.width}x{recipe.height}, made "
        f"for Sparring: {network.trunk}, {network.parameters:,} parameters, "
        "kept in half precision.",
        made=_made(run, command),
        scored="\n\n".join(part for part in (losses, match) if part),
    )
    card.write(setting.folder / f"{setting.name}.md")


def _made(run: SelfPlayRun, command: str) -> str:
    recipe, progress = run.setting.recipe, run.progress
    start = "random weights" if run.setting.start is None else f"`{run.setting.start.name}`"
    return (
        f"From {start}, by {progress.games:,} games against itself in "
        f"{progress.iterations} iterations: {progress.positions:,} positions, "
        f"{run.learner.batches:,} batches of {recipe.learning.batch}, "
        f"{progress.playing_seconds / 60:.0f} minutes of playing and "
        f"{progress.learning_seconds / 60:.0f} of learning. {_first(recipe)}{_decided(recipe)}"
        f"No other program's games and no human's were learned from. `{command}` does it again."
    )


def _first(recipe: Recipe) -> str:
    """Returns the player of the first games, if it is not the network."""
    if recipe.teacher is not None:
        return (
            f"In the first {recipe.first_games:,} games DarkKnight ({recipe.teacher}) played in "
            "its place. "
        )
    if recipe.first_judge:
        trunk = RolloutEvaluator(recipe.game).network.trunk
        return f"The first were judged without a network ({trunk}). "
    return ""


def _decided(recipe: Recipe) -> str:
    """Returns the rule of the games' results, if it is not the game's own score."""
    if recipe.territory is None:
        return ""
    beta, line, first = astuple(recipe.territory)
    expected = f"The first {first} iterations learned what the start expects of that. "
    return (
        "They were decided by weighted territory (Shi et al., JISE 37(3), 2021): points of line "
        f"{line} count 1, those nearer to the border {1 - beta:g}, those farther in {1 + beta:g}. "
        f"{expected if first else ''}"
    )


def _last_losses(recipe: Recipe, row: Row) -> str:
    """Returns a table of the losses on games before they are learned."""
    names = [name for name in recipe.learning.weights if f"unseen_{name}" in row]
    if not names:
        return ""
    cells = [f"{row[f'unseen_{name}']:.3f}" for name in names]
    return "On the last games, before they were learned from:\n\n" + table(names, [cells])


def _match(recipe: Recipe, points: float) -> str:
    rival = recipe.rival
    return (
        f"{points:.0%} of the points in {rival.games} games of {rival.visits} visits a move "
        f"against the agent {rival.agent}."
    )


class _Bar:
    """The progress bar: games, and other figures in words."""

    def __init__(self, run: SelfPlayRun, most: int | None) -> None:
        recipe = run.setting.recipe
        total = None if most is None else recipe.games_before(most)
        initial = run.progress.games
        self._bar = tqdm(total=total, initial=initial, unit="game", mininterval=1.0, miniters=0)
        self._figures: dict[str, float] = {"positions": run.progress.positions}

    def __enter__(self) -> _Bar:
        return self

    def __exit__(self, *error: object) -> None:
        self._bar.close()

    def playing(self, games: int) -> None:
        """See loop.RunObserver."""
        self._bar.set_postfix(self._figures, refresh=False)
        self._bar.update(games)

    def learning(self, batches: int) -> None:
        """See loop.RunObserver."""
        self._bar.set_postfix({**self._figures, "batches": batches}, refresh=False)
        self._bar.update(0)

    def show(self, row: Row) -> None:
        """Shows the figures of a finished iteration."""
        names = ["positions", *(name for name in ("policy", "value", "squares") if name in row)]
        points = [name for name in row if name.startswith("points_against_")]
        self._figures |= {name: row[name] for name in names + points}
        self._bar.update(round(row["games"]) - self._bar.n)
