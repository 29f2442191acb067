"""The training of `sparring train othello8-human`: WTHOR's games in, a network of human moves out.

The module has the order of a run and the names of its files: `metrics.jsonl` grows during learning,
`checkpoint.safetensors` lets the same command resume, and at the end there are
`othello8-human.safetensors`, its card `othello8-human.md` and `grades.json`. The same command
validates a finished run again, beside the networks of `--compare`.
"""

from __future__ import annotations

import json
import math
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass, field
from pathlib import Path

import torch
from torch import Tensor
from tqdm import tqdm

from engine._core import CpuNetwork
from engine.networks.sparring import write_sparring
from engine.training.common.checkpoint import TrainingProgress, read_checkpoint, write_checkpoint
from engine.training.common.metrics import Metrics
from engine.training.common.policy_metrics import TOP1, VALUE_LOSS
from engine.training.imitation.card import card_of, in_words
from engine.training.imitation.learning import HumanLearner, HumanTrainingSettings
from engine.training.imitation.othello_games import HELD_OUT_YEARS, Split, read_split
from engine.training.imitation.validation import (
    Predictor,
    ValidationReport,
    predictor_of,
    validate,
    validation_rows,
)

Say = Callable[[str], None]

NAME = "othello8-human"
CHECKPOINT = "checkpoint.safetensors"
REPORT_BATCHES = 100  # of a row of the metrics
CHECKPOINT_BATCHES = 200  # a multiple of those
VALIDATION_BATCHES = 1000  # likewise: between validations on some held-out moves
VALIDATION_ROWS = 4096
ROUNDED = 5  # digits of the metrics


@dataclass(frozen=True)
class HumanRunSettings:
    """The settings of one run: its games, its folder and its learning."""

    games: Path  # a folder of WTHOR's .wtb files
    output: Path  # a run in the folder is resumed
    learning: HumanTrainingSettings = field(default_factory=HumanTrainingSettings)
    held_out_years: int = HELD_OUT_YEARS  # the last years, for validation alone
    compared: tuple[str, ...] = ()  # other networks to validate: files, or LINEAR
    threads: int = 1


def learn_human_moves(run: HumanRunSettings, say: Say) -> None:
    """Learns from the games, validates the network and writes its files."""
    torch.set_num_threads(run.threads)
    others = [predictor_of(text) for text in run.compared]
    split = read_split(run.games, run.held_out_years)
    say(
        f"{split.learned.count:,} games to learn from, {len(split.learned):,} positions; "
        f"{split.held_out.count:,} games of {split.years} held out"
    )
    learning = _HumanRun(run.output, run.learning, split)
    with Metrics(run.output, say) as metrics:
        learning.learn(metrics)
    reports = learning.reports(others)
    for report in reports:
        say(in_words(report))
    learning.write_results(reports)
    say(f"wrote {run.output}")


class _HumanRun:
    """A run in its folder, resumed from a checkpoint if there is one."""

    def __init__(self, folder: Path, settings: HumanTrainingSettings, split: Split) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        self._folder = folder
        self._split = split
        dtype = torch.bfloat16 if CpuNetwork.has_bf16() else torch.float32
        self._learner = HumanLearner(settings, split.learned, dtype)
        identity = {**asdict(settings), "precision": str(dtype), "positions": len(split.learned)}
        del identity["rounds"]  # a resumed run may have more of them
        self._identity = identity
        self._seconds = 0.0
        if (folder / CHECKPOINT).exists():
            tensors, progress = read_checkpoint(folder / CHECKPOINT, self._identity)
            self._learner.restore(tensors, progress.batches)
            self._seconds = progress.learning_seconds

    def learn(self, metrics: Metrics) -> None:
        """Learns to the end, with a row of metrics and a checkpoint now and then."""
        learner, settings = self._learner, self._learner.settings
        sums: dict[str, Tensor] = {}
        begun, before = time.monotonic(), self._seconds
        with tqdm(total=settings.all_batches, initial=learner.batches, unit="batch") as bar:
            while learner.batches < settings.all_batches:
                for name, part in learner.learn().items():
                    sums[name] = sums.get(name, torch.zeros(())) + part
                bar.update()
                done, over = learner.batches, learner.batches == settings.all_batches
                self._seconds = before + time.monotonic() - begun
                if done % REPORT_BATCHES == 0 or over:
                    count = (done - 1) % REPORT_BATCHES + 1
                    row = {name: float(part) / count for name, part in sums.items()}
                    sums = {}
                    if done % VALIDATION_BATCHES == 0:
                        row |= self._validation_row()
                    metrics.write(done, {name: round(x, ROUNDED) for name, x in row.items()})
                    bar.set_postfix({"positions": done * settings.batch, **row}, refresh=False)
                if done % CHECKPOINT_BATCHES == 0 or over:
                    self._write_checkpoint()

    def reports(self, others: list[Predictor]) -> list[ValidationReport]:
        """Returns the metrics of the trained network, read from its file, and of the others."""
        path = self._folder / f"{NAME}.safetensors"
        write_sparring(path, self._learner.network.export(), {})
        games, known = self._split.held_out, self._split.known
        rows = validation_rows(games)
        predictors = [predictor_of(str(path)), *others]
        return [validate(predictor, games, rows, known) for predictor in predictors]

    def write_results(self, reports: list[ValidationReport]) -> None:
        """Writes the network with its card, and the metrics."""
        network = self._learner.network.export()
        values = {"course": self._identity, "grades": [asdict(report) for report in reports]}
        write_sparring(self._folder / f"{NAME}.safetensors", network, values)
        text = json.dumps(values, indent=1) + "\n"
        (self._folder / "grades.json").write_text(text, encoding="utf-8")
        card = card_of(NAME, self._learner, self._split, reports, self._seconds)
        card.write(self._folder / f"{NAME}.md")

    def _write_checkpoint(self) -> None:
        learner = self._learner
        progress = TrainingProgress(
            positions=learner.batches * learner.settings.batch,
            batches=learner.batches,
            learning_seconds=self._seconds,
        )
        write_checkpoint(self._folder / CHECKPOINT, learner.tensors(), progress, self._identity)

    def _validation_row(self) -> dict[str, float]:
        """Returns metrics on some held-out moves, during learning."""
        network, games = self._learner.network, self._split.held_out
        network.eval()
        report = validate(
            Predictor("", self._learner.answers),
            games,
            validation_rows(games, at_most=VALIDATION_ROWS),
        )
        total = report.total
        return {
            "unseen_policy": -math.log(total["probability"]),
            "unseen_value": total[VALUE_LOSS],
            "unseen_top1": total[TOP1],
        }
