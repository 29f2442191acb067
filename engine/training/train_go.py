"""The training of `sparring train go` and `go-human`: settings in, files in a folder out.

The module has the order of a run (teacher, games, learning, validation, cards) and the names of the
files: `metrics.jsonl` grows during learning, `checkpoint.safetensors` lets the same command resume,
`games.npz` has the human games, `chapters` the shards in use; at the end come `go.safetensors` and
`go-human.safetensors`, the networks to play with, their cards and `grades.json`.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from contextlib import closing, nullcontext
from functools import partial
from pathlib import Path

import torch
from tqdm import tqdm

from engine.training.common.metrics import Metrics
from engine.training.go.distill import Distillation, DistillSettings, Machine, Numbers, learn
from engine.training.go.growth import grown
from engine.training.go.humans import HumanMoves
from engine.training.go.losses import HUMAN_WEIGHTS, RANKED_WEIGHTS, WEIGHTS
from engine.training.go.positions import BOARDS
from engine.training.go.rank_inputs import with_rank_inputs
from engine.training.go.results import Making, human_top1, write_results
from engine.training.go.run_settings import GoRunSettings, machine_of
from engine.training.go.run_sources import run_shards, run_sources
from engine.training.go.shard_makers import ShardMakers
from engine.training.go.start import earlier_student
from engine.training.go.student import (
    Checkpoint,
    new_student,
    read_checkpoint,
    student_shape,
    write_checkpoint,
)
from engine.training.go.validation import read_humans

Say = Callable[[str], None]

CHECKPOINT_SECONDS = 60.0
START_BOARDS = tuple(board for board in BOARDS if board.share > 0.1)  # for a network's statistics
LOOK_STEPS = 500  # between metrics on human moves
NAME = "checkpoint.safetensors"


def learn_go(settings: GoRunSettings, say: Say) -> None:
    """Learns from a teacher, from human games or from both, and writes the files.

    Raises SettingError for an impossible device, and for files of another kind.
    """
    machine = machine_of(settings.device)
    settings.output.mkdir(parents=True, exist_ok=True)
    torch.set_num_threads(settings.threads)
    begun = _begun(settings, machine, say)
    seed = settings.seed + begun.student.totals.batches  # another run has other games
    makers = _makers(settings, begun, seed)
    given = run_sources(settings, machine, seed, makers.wait if makers else None)
    if given.table is not None:
        say(f"{len(given.table):,} human games of {len(given.archives)} archives")
    held_out = read_humans(settings.held_out).to(machine.device) if settings.held_out else None
    distillation = Distillation(begun, given.sources, _learning(settings, seed), machine)
    say(f"{distillation.student.name}, {distillation.student.parameters:,} parameters")
    with closing(distillation.batches), makers or nullcontext():
        _learn(distillation, settings.output, held_out, say)
    making = Making(settings, given, held_out, machine)
    for path in write_results(distillation.averaged(), making):
        say(f"wrote {path}")


def _makers(settings: GoRunSettings, begun: Checkpoint, seed: int) -> ShardMakers | None:
    """Returns the processes that make the shards ahead, not begun yet; None without them."""
    if not settings.makers or settings.teacher is None:
        return None
    sources = partial(run_shards, settings, seed)
    return ShardMakers(sources, begun.progress.drawn, settings.makers)


def _learning(settings: GoRunSettings, seed: int) -> DistillSettings:
    return DistillSettings(
        seconds=settings.seconds,
        steps=settings.steps,
        seed=seed,
        weights=_weights(settings),
        learning_rate=settings.learning_rate,
        cool_down_share=settings.cool_down_share,
    )


def _weights(settings: GoRunSettings) -> Mapping[str, float]:
    if settings.ranked:
        return RANKED_WEIGHTS
    return WEIGHTS if settings.teacher else HUMAN_WEIGHTS


def _begun(settings: GoRunSettings, machine: Machine, say: Say) -> Checkpoint:
    """Returns the folder's run, an earlier run's student, or a new one."""
    if (settings.output / NAME).exists():
        begun = read_checkpoint(settings.output / NAME)
        say(f"goes on after {begun.progress.steps} steps")
        return begun
    if settings.checkpoint is not None:
        student = earlier_student(settings.checkpoint, START_BOARDS, machine, settings.threads)
        if student.origin:
            say(f"begins as {student.origin}")
        student = grown(student, settings.blocks, settings.channels, settings.seed)
    else:
        name = f"sparring-go-b{settings.blocks}c{settings.channels}"
        shape = student_shape(settings.blocks, settings.channels)
        student = new_student(name, shape, settings.seed)
    return Checkpoint(with_rank_inputs(student) if settings.ranked else student)


def _learn(distillation: Distillation, output: Path, held_out: HumanMoves | None, say: Say) -> None:
    """Works to the end of the run.

    Writes each row to the metrics, and a checkpoint now and then.
    """
    settings, progress = distillation.settings, distillation.progress
    timed = settings.seconds is not None
    saved = time.monotonic()
    with (
        Metrics(output, say) as metrics,
        tqdm(
            total=round(settings.seconds or settings.steps or 0),
            initial=round(progress.seconds) if timed else progress.steps,
            unit="s" if timed else "step",
            mininterval=1.0,
        ) as bar,
    ):
        for row in learn(distillation, time.monotonic):
            numbers: Numbers = dict(row)
            if held_out is not None and progress.steps % LOOK_STEPS == 0:
                numbers["human_top1"] = human_top1(distillation, held_out)
            metrics.write(progress.steps, numbers)
            bar.update((round(progress.seconds) if timed else progress.steps) - bar.n)
            shown: dict[str, object] = {
                name: row[name] for name in ("policy", "human", "value") if name in row
            }
            bar.set_postfix({"steps": progress.steps, **shown})
            if time.monotonic() - saved > CHECKPOINT_SECONDS:
                write_checkpoint(distillation.checkpoint(), output / NAME)
                saved = time.monotonic()
    write_checkpoint(distillation.checkpoint(), output / NAME)
