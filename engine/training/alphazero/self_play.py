"""The commands `sparring train connect4`, `othello6` and `othello8`: options in, a network out.

Knows the options, the progress bar and the card; loop.py does the run.
"""

from __future__ import annotations

import argparse
import os
import time
from collections.abc import Callable
from contextlib import closing
from dataclasses import astuple, replace
from pathlib import Path
from typing import Any

import torch
from tqdm import tqdm

from engine._core import CpuNetwork
from engine.games.table import GAMES
from engine.networks.architecture import Architecture, describe
from engine.training.alphazero.loop import Row, SelfPlayRun, Setting, iterations
from engine.training.alphazero.recipe import Recipe
from engine.training.alphazero.recipes import RECIPES
from engine.training.common.card import Card, table
from engine.training.common.metrics import Metrics, read_metrics
from engine.training.common.workers import Workers, workers_at

Say = Callable[[str], None]


# Options that change the result of a run.
LASTING = (
    *("seed", "recipe", "start", "size", "beta", "line", "expected"),
    *("games", "first_games", "visits", "fast_visits", "full_share"),
    *("blocks", "channels", "learning_rate", "batch", "passes", "window"),
)


def configure(parser: argparse.ArgumentParser) -> None:
    """Adds the command's options to `parser`; the recipe has the defaults."""
    add_options(parser)
    parser.add_argument(
        "--recipe", choices=RECIPES, default="sparring", help="default: %(default)s"
    )
    parser.add_argument("--blocks", type=_positive)
    parser.add_argument("--channels", type=_positive)
    parser.add_argument("--rival", metavar="AGENT", help="opponent of regular matches")
    parser.add_argument("--rival-every", type=int, metavar="N", help="iterations; 0: never")


def add_options(parser: argparse.ArgumentParser) -> None:
    """Adds the options of all self-play commands."""
    parser.add_argument(
        "--output",
        type=Path,
        default=Path("training"),
        metavar="DIR",
        help="a run in the folder is resumed; default: %(default)s",
    )
    ends = parser.add_mutually_exclusive_group()
    ends.add_argument("--iterations", type=_positive, metavar="N", help="in all")
    ends.add_argument("--minutes", type=float, help="in all; the iteration they end in is finished")
    parser.add_argument("--seed", type=int, default=1, help="default: %(default)s")
    parser.add_argument(
        "--threads", type=_positive, default=os.cpu_count() or 1, help="for the games"
    )
    parser.add_argument(
        "--ray", metavar="ADDRESS", help="of a Ray cluster for the games; local: one here"
    )
    parser.add_argument("--backend", default="auto", help="for the games; default: %(default)s")
    parser.add_argument("--games", type=_positive, metavar="N", help="an iteration")
    parser.add_argument("--first-games", type=_positive, metavar="N", help="of the first iteration")
    parser.add_argument("--visits", type=_positive, metavar="N", help="of a full search")
    parser.add_argument("--fast-visits", type=_positive, metavar="N", help="of the others")
    parser.add_argument("--full-share", type=float, metavar="SHARE", help="searched fully, 0..1")
    parser.add_argument("--learning-rate", type=float)
    parser.add_argument("--batch", type=_positive)
    parser.add_argument("--passes", type=float, help="draws of each position")
    parser.add_argument("--window", type=_positive, metavar="N", help="positions before it grows")


def run(options: argparse.Namespace, say: Say) -> int:
    """Learns the game named by the command; returns 0 after its files are written."""
    return take(options, say, recipe_of(options))


def take(
    options: argparse.Namespace, say: Say, recipe: Recipe, start: Architecture | None = None
) -> int:
    """Learns by the recipe, from random weights or from the network `start`."""
    options.output.mkdir(parents=True, exist_ok=True)
    # Several threads gain little on networks this small, and lose much on a busy machine.
    torch.set_num_threads(1)
    with closing(workers_at(options.ray, options.threads)) as workers:
        _learn(options, workers, say, recipe, start)
    say(f"wrote {options.output}")
    return 0


def _learn(
    options: argparse.Namespace,
    workers: Workers,
    say: Say,
    recipe: Recipe,
    start: Architecture | None,
) -> None:
    """Runs the folder's training to its end."""
    setting = Setting(
        name=options.training,
        recipe=recipe,
        folder=options.output,
        seed=options.seed,
        workers=workers,
        threads=options.threads,
        backend=options.backend,
        dtype=torch.bfloat16 if CpuNetwork.has_bf16() else torch.float32,
        clock=time.monotonic,
        start=start,
    )
    with Metrics(options.output, say) as metrics:
        learned = SelfPlayRun(setting, metrics)
        network = describe(learned.network)
        say(f"{options.training}: {network.trunk}, {network.parameters:,} parameters")
        most = options.iterations or (None if options.minutes else recipe.iterations)
        seconds = options.minutes and options.minutes * 60
        with _Bar(learned, most) as bar:
            for row in iterations(learned, bar, most=most, seconds=seconds):
                bar.show(row)
                write_card(learned, command_of(options, learned))
            learned.close(bar)
    points = learned.points(options.seed) if recipe.rival.every else None
    write_card(learned, command_of(options, learned), points)


def recipe_of(options: argparse.Namespace) -> Recipe:
    """Returns the recipe of the options, with their changes."""
    recipe = changed(RECIPES[options.recipe][options.training], options)
    rival = _chosen(options, rival="agent", rival_every="every")
    own = _chosen(options, blocks="blocks", channels="channels")
    return replace(recipe, rival=replace(recipe.rival, **rival), **own)


def changed(recipe: Recipe, options: argparse.Namespace) -> Recipe:
    """Returns the recipe with the changes of `add_options`."""
    play = _chosen(options, visits="visits", fast_visits="fast_visits", full_share="full_share")
    learning = _chosen(options, learning_rate="learning_rate", batch="batch", passes="passes")
    own = _chosen(options, games="games", first_games="first_games")
    first = options.window or recipe.growth.first
    return replace(
        recipe,
        play={**recipe.play, **play},
        learning=replace(recipe.learning, **learning),
        growth=replace(recipe.growth, first=first),
        **own,
    )


def command_of(options: argparse.Namespace, run: SelfPlayRun) -> str:
    """Returns the command for an equal network."""
    words = ["sparring train", options.training, f"--iterations {run.progress.iterations}"]
    lasting = {name: getattr(options, name, None) for name in LASTING}
    words += [
        f"--{name.replace('_', '-')} {value}"
        for name, value in lasting.items()
        if value is not None
    ]
    return " ".join(words)


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
    first = (
        "The first were judged by quick games and, in Othello, a linear evaluation learned from "
        "its own games. "
        if recipe.first_judge
        else ""
    )
    start = "random weights" if run.setting.start is None else f"`{run.setting.start.name}`"
    return (
        f"From {start}, by {progress.games:,} games against itself in "
        f"{progress.iterations} iterations: {progress.positions:,} positions, "
        f"{run.learner.batches:,} batches of {recipe.learning.batch}, "
        f"{progress.playing_seconds / 60:.0f} minutes of playing and "
        f"{progress.learning_seconds / 60:.0f} of learning. {first}{_decided(recipe)}No other "
        f"program's games and no human's were learned from. `{command}` does it again."
    )


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


def _chosen(options: argparse.Namespace, **fields: str) -> dict[str, Any]:
    """Returns the present options, by the names of their fields."""
    found = {field: getattr(options, option) for option, field in fields.items()}
    return {field: value for field, value in found.items() if value is not None}


def _positive(text: str) -> int:
    if not (text.isascii() and text.isdigit() and int(text) >= 1):
        raise argparse.ArgumentTypeError(f"{text!r} is not a whole number of 1 or more")
    return int(text)
