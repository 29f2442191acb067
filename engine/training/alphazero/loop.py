"""A run: games, learning from the latest of them, and so on; it resumes after a kill at any moment.

Files in the run's folder, each written whole or not at all, in this order in each iteration:
`window/` has the games, `metrics.jsonl` a row, NAME.safetensors the playing network, and
`checkpoint.safetensors` the state for the next iteration. All randomness comes from the seed and
the iteration: a resumed run equals an uninterrupted one.
"""

from __future__ import annotations

import zlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Protocol

import torch

from engine.networks.architecture import Architecture
from engine.networks.one_policy import one_policy
from engine.networks.sparring import Card, write_sparring
from engine.networks.torch_model import TorchNetwork
from engine.training.alphazero.games import SelfPlayTask, start_network
from engine.training.alphazero.learning import NetworkLearner
from engine.training.alphazero.recipe import Recipe
from engine.training.alphazero.strength import points_against
from engine.training.alphazero.teacher_games import TeacherGamesTask
from engine.training.alphazero.window import Window
from engine.training.common.checkpoint import TrainingProgress, read_checkpoint, write_checkpoint
from engine.training.common.metrics import Metrics
from engine.training.common.rows import SampleRows, joined
from engine.training.common.turns import turns_of
from engine.training.common.workers import Task, Workers
from engine.training.go.distill import Machine
from engine.training.go.expectation import expected
from engine.training.go.teacher import teacher_of
from engine.util.atomic_file import atomic_write

Row = dict[str, float]
CHECKPOINT = "checkpoint.safetensors"
ROUNDED = 5  # digits of the metrics


class RunObserver(Protocol):
    """Receives the progress of an iteration."""

    def playing(self, games: int) -> None:
        """Reports further finished games of the iteration."""

    def learning(self, batches: int) -> None:
        """Reports the learned batches of the iteration."""


@dataclass(frozen=True)
class Setting:
    """The place and the conditions of a run."""

    name: str  # of the network
    recipe: Recipe
    folder: Path
    seed: int
    workers: Workers  # play the games
    threads: int  # of this process, for matches
    backend: str  # a key of engine/networks/runtime.py's BACKENDS, or "auto"
    dtype: torch.dtype  # of the convolutions while learning
    clock: Callable[[], float]  # seconds
    # the network to train further; None: the recipe's, with random weights
    start: Architecture | None = None


class SelfPlayRun:
    """One run, resumed from the state in its folder."""

    def __init__(self, setting: Setting, metrics: Metrics) -> None:
        recipe = setting.recipe
        self.setting = setting
        self.progress = TrainingProgress()
        self._metrics = metrics
        self._turns = turns_of(recipe.game, recipe.width, recipe.height)
        self.learner = self._new_learner()
        self._window = Window(setting.folder / "window")
        # A resumed run may set another number of iterations.
        values = {key: value for key, value in recipe.values().items() if key != "iterations"}
        self._settings = {"recipe": values, "seed": setting.seed}
        if setting.start is not None:
            self._settings["start"] = setting.start.name
        path = setting.folder / CHECKPOINT
        if path.exists():
            tensors, self.progress = read_checkpoint(path, self._settings)
            self.learner.restore(tensors, self.progress.batches)

    @property
    def network(self) -> Architecture:
        """The playing network: the averaged weights, without the reply's policy."""
        return one_policy(self.learner.averaged.export())

    def iterate(self, watch: RunObserver) -> Row:
        """Runs one iteration; returns its row of the metrics after all its files are written."""
        setting, recipe = self.setting, self.setting.recipe
        iteration = self.progress.iterations
        rows, figures = self._games(iteration, watch)
        began = setting.clock()
        unseen = self.learner.unseen_losses(rows, self._seed("unseen", iteration))
        played = self.progress.positions + rows.size
        wanted = self._wanted(iteration, played)
        window = self._window.latest(iteration, wanted)
        batches = recipe.learning.batches(rows.size, window.size, self._turns.count)
        learned = self.learner.learn(
            window, batches, self._seed("learning", iteration), on_batch=watch.learning
        )
        self.progress = replace(
            self.progress,
            iterations=iteration + 1,
            games=recipe.games_before(iteration + 1),
            positions=played,
            batches=self.learner.batches,
            playing_seconds=self.progress.playing_seconds + figures["playing_seconds"],
            learning_seconds=self.progress.learning_seconds + setting.clock() - began,
        )
        row: Row = {
            "games": self.progress.games,
            "positions": played,
            "window": window.size,
            "batches": self.learner.batches,
            "learning_rate": recipe.learning.rate(self.learner.batches),
            **figures,
            "learning_seconds": setting.clock() - began,
            **{name: learned[name] for name in recipe.learning.weights},
            **{f"unseen_{name}": unseen[name] for name in recipe.learning.weights if unseen},
        }
        if recipe.rival.every and iteration % recipe.rival.every == 0:
            row[f"points_against_{recipe.rival.agent}"] = self.points(
                self._seed("rival", iteration)
            )
        row = {name: round(value, ROUNDED) for name, value in row.items()}
        self._metrics.write(iteration, row)
        self._write_network(self.network, row)
        write_checkpoint(
            setting.folder / CHECKPOINT, self.learner.tensors(), self.progress, self._settings
        )
        self._window.forget(iteration, wanted)
        return row

    def close(self, watch: RunObserver) -> Row:
        """Learns further with a falling rate, for the playing network; returns the losses.

        The checkpoint stays unchanged: a longer run is independent of this step.
        """
        learning, iteration = self.setting.recipe.learning, self.progress.iterations
        row: Row = {}
        if learning.closing_passes and iteration:
            wanted = self._wanted(iteration - 1, self.progress.positions)
            window = self._window.latest(iteration - 1, wanted)
            batches = max(1, round(window.size * learning.closing_passes / learning.batch))
            seed = self._seed("closing", iteration)
            learned = self.learner.learn(
                window, batches, seed, falling=True, on_batch=watch.learning
            )
            row = {name: round(learned[name], ROUNDED) for name in learning.weights}
        self._write_network(self.network, row)
        return row

    def points(self, seed: int) -> float:
        """Returns the playing network's share of the points against the recipe's rival, 0..1."""
        recipe = self.setting.recipe
        evaluator = start_network(self.network, self.setting.backend, self.setting.threads)
        return points_against(recipe.rival, evaluator, recipe.width, recipe.height, seed)

    def _games(self, iteration: int, watch: RunObserver) -> tuple[SampleRows, Row]:
        """Returns the iteration's games and their statistics.

        Plays only the games missing in the window.
        """
        if not self._window.holds(iteration):
            setting, recipe = self.setting, self.setting.recipe
            task, began = self._task(iteration), setting.clock()
            rows = joined(setting.workers.play(task, recipe.numbers(iteration), watch.playing))
            rows = self._relabelled_by_start(iteration, rows)
            seconds = setting.clock() - began
            figures = {**statistics(rows, recipe.game), "playing_seconds": seconds}
            self._window.add(iteration, rows, figures)
        return self._window.rows_of(iteration)

    def _task(self, iteration: int) -> Task[SampleRows]:
        """Returns the task that plays the iteration's games."""
        setting, recipe = self.setting, self.setting.recipe
        teacher = recipe.teacher_in(iteration)
        if teacher is not None:
            return TeacherGamesTask(
                width=recipe.width,
                height=recipe.height,
                teacher=teacher,
                play=recipe.play,
                seed=setting.seed,
                threads=setting.workers.threads,
            )
        return SelfPlayTask(
            game=recipe.game,
            width=recipe.width,
            height=recipe.height,
            network=None if iteration == 0 and recipe.first_judge else self.network,
            play=recipe.play,
            search=recipe.search,
            seed=setting.seed,
            threads=setting.workers.threads,
            backend=setting.backend,
            territory=recipe.territory,
        )

    def _wanted(self, iteration: int, played: int) -> int:
        """Returns the window's size in rows after an iteration; a teacher's games are all in it.

        played: rows of all iterations until then.
        """
        recipe = self.setting.recipe
        return recipe.growth.rows(played) if recipe.teacher_in(iteration) is None else played

    def _relabelled_by_start(self, iteration: int, rows: SampleRows) -> SampleRows:
        """Returns the rows with the start network's expectations, in the first iterations."""
        setting, territory = self.setting, self.setting.recipe.territory
        if setting.start is None or territory is None or iteration >= territory.expected:
            return rows
        machine = Machine(torch.device("cpu"), torch.float32, torch.float32)
        return expected(rows, teacher_of(setting.start, machine, setting.threads), territory)

    def _seed(self, purpose: str, iteration: int) -> int:
        """Returns a seed of its own for each purpose in each iteration."""
        return zlib.crc32(f"{self.setting.seed} {purpose} {iteration}".encode())

    def _new_learner(self) -> NetworkLearner:
        setting, start = self.setting, self.setting.start
        if start is None:
            network = setting.recipe.network(setting.name, setting.seed)
        else:
            network = TorchNetwork(replace(start, name=setting.name))
        return NetworkLearner(
            network,
            setting.recipe.learning,
            self._turns,
            setting.dtype,
            fixed_norms=start is not None,
        )

    def _write_network(self, network: Architecture, row: Row) -> None:
        path = self.setting.folder / f"{self.setting.name}.safetensors"
        card: Card = {
            "recipe": self.setting.recipe.values(),
            "seed": self.setting.seed,
            "progress": vars(self.progress),
            "row": row,
        }
        with atomic_write(path) as unfinished:
            write_sparring(unfinished, network, card)


def statistics(rows: SampleRows, game: str) -> Row:
    """Returns statistics of games: shares of rows, plies a game, the first player's points."""
    last = torch.cat((rows.game[1:] != rows.game[:-1], torch.tensor([True])))
    ends = rows.part(last)
    # In dark chess no turn is skipped; in other games input 0 is 1 in the first player's turn.
    first_to_move = ends.ply % 2 == 0 if game == "darkchess" else ends.globals[:, 0] > 0
    first = torch.where(first_to_move, ends.result, 1 - ends.result)
    target = rows.policy.float()
    entropy = -torch.xlogy(target, target).sum(dim=1)
    searched = rows.exact == 0

    def mean(values: torch.Tensor) -> float:
        return float(values.float().mean()) if len(values) else 0.0

    return {
        "rows_a_game": rows.size / ends.size,
        "plies": mean(ends.ply) + 1,
        "first_player": mean(first),
        "draws": mean(ends.result == 0.5),
        "exact": mean(rows.exact),
        "target_entropy": mean(entropy[searched]),
    }


def iterations(
    run: SelfPlayRun, watch: RunObserver, *, most: int | None, seconds: float | None
) -> Iterator[Row]:
    """Yields iterations up to a total of `most`, or of `seconds`."""
    while (most is None or run.progress.iterations < most) and (
        seconds is None or run.progress.seconds < seconds
    ):
        yield run.iterate(watch)
