"""The commands `sparring train go` and `go-human`: options in, files in a folder out.

Knows the order of a run (teacher, games, learning, validation, cards) and the names of the files:
`metrics.jsonl` grows during learning, `checkpoint.safetensors` lets the same command resume,
`games.npz` has the human games, `chapters` the shards of quick games in use; at the end come
`go.safetensors` and `go-human.safetensors`, the networks to play with, their cards and
`grades.json`.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable
from pathlib import Path

import torch
from tqdm import tqdm

from engine.errors import SettingError
from engine.networks.native_backend import native_precisions
from engine.networks.processor import cores
from engine.training.common.metrics import Metrics
from engine.training.go.distill import Distillation, DistillSettings, Machine, Numbers, learn
from engine.training.go.humans import HumanMoves
from engine.training.go.losses import HUMAN_WEIGHTS, WEIGHTS
from engine.training.go.positions import BOARDS
from engine.training.go.records import find_archives, read_table
from engine.training.go.results import Making, human_top1, write_results
from engine.training.go.samples import Network
from engine.training.go.shards import ShardSettings
from engine.training.go.sources import sources_of
from engine.training.go.student import (
    Checkpoint,
    new_student,
    read_checkpoint,
    student_shape,
    write_checkpoint,
)
from engine.training.go.teacher import load_teacher
from engine.training.go.validation import read_humans

Say = Callable[[str], None]

# The size of KataGo's network of 6 blocks of 96, a teacher.
BLOCKS = 6
CHANNELS = 96
CELLS = 24_000  # points of all boards of a batch together
CHAPTER_CELLS = 8_000_000
HUMAN_SHARE = 0.45
EXAM_ROWS = 4096  # of each board
CHECKPOINT_SECONDS = 60.0
LOOK_STEPS = 500  # between metrics on human moves
NAME = "checkpoint.safetensors"


def configure(parser: argparse.ArgumentParser) -> None:
    """Adds the options of `sparring train go` to `parser`."""
    parser.add_argument(
        "--teacher", type=Path, required=True, metavar="FILE", help="a network to learn from"
    )
    parser.add_argument(
        "--games",
        type=Path,
        nargs="+",
        metavar="PATH",
        help="Tygem zips, KGS tar.gz, or folders of them, to learn the moves from",
    )
    add_options(parser)
    parser.add_argument(
        "--human-share",
        type=float,
        default=HUMAN_SHARE,
        help="of the batches, beside quick games; default: %(default)s",
    )
    parser.add_argument(
        "--turns",
        type=int,
        default=1,
        help="symmetries of the teacher that are averaged; default: %(default)s",
    )
    parser.add_argument(
        "--chapter-cells",
        type=int,
        default=CHAPTER_CELLS,
        help="points in a shard of quick games on all boards; default: %(default)s",
    )


def add_options(parser: argparse.ArgumentParser) -> None:
    """Adds the options of both commands."""
    parser.add_argument("--held-out", type=Path, metavar="FILE", help="games for validation alone")
    parser.add_argument(
        "--output", type=Path, default=Path("training"), metavar="DIR", help="default: %(default)s"
    )
    limit = parser.add_mutually_exclusive_group()
    limit.add_argument(
        "--minutes", type=float, default=60.0, help="total of learning; default: %(default)s"
    )
    limit.add_argument("--steps", type=int, help="total of learning, in place of minutes")
    parser.add_argument(
        "--continue",
        dest="checkpoint",
        type=Path,
        metavar="FILE",
        help="an earlier run's checkpoint, if the output folder has none",
    )
    parser.add_argument(
        "--device", default="cuda" if torch.cuda.is_available() else "cpu", help="cuda or cpu"
    )
    parser.add_argument("--seed", type=int, default=1, help="default: %(default)s")
    parser.add_argument("--threads", type=int, default=cores(), help="default: %(default)s")
    parser.add_argument("--blocks", type=int, default=BLOCKS, help="default: %(default)s")
    parser.add_argument("--channels", type=int, default=CHANNELS, help="default: %(default)s")
    parser.add_argument(
        "--cells", type=int, default=CELLS, help="points in a batch; default: %(default)s"
    )
    parser.add_argument(
        "--learning-rate",
        type=float,
        default=DistillSettings.learning_rate,
        help="default: %(default)s",
    )
    parser.add_argument(
        "--cool-down",
        type=float,
        default=DistillSettings.cool_down_share,
        metavar="SHARE",
        help="of the course in which the learning rate falls; default: %(default)s",
    )
    parser.add_argument(
        "--exam-rows", type=int, default=EXAM_ROWS, help="of each board; default: %(default)s"
    )


def run(options: argparse.Namespace, say: Say) -> int:
    """Learns from a teacher, and from named human games; returns 0 after the files are written."""
    machine = machine_of(options.device)
    teacher, name = load_teacher(options.teacher, machine, options.threads)
    return take(options, say, machine, teacher, name)


def take(
    options: argparse.Namespace,
    say: Say,
    machine: Machine,
    teacher: Network | None = None,
    teacher_name: str = "",
) -> int:
    """Runs the training of the options, with or without a teacher."""
    _check(options)
    options.output.mkdir(parents=True, exist_ok=True)
    torch.set_num_threads(options.threads)
    table, archives = None, []
    if options.games:
        archives = find_archives(options.games, options.held_out)
        table = read_table(archives, options.output / "games.npz")
        say(f"{len(table):,} human games of {len(archives)} archives")
    held_out = read_humans(options.held_out).to(machine.device) if options.held_out else None
    begun = _begun(options, say)
    kind = ShardSettings(
        folder=options.output / "chapters",
        seed=options.seed + begun.student.totals.batches,  # another run has other games
        cells=options.chapter_cells,
        turns=options.turns,
        threads=options.threads,
        device=machine.device,
    )
    sources = sources_of(
        teacher,
        table,
        boards=BOARDS,
        human_share=options.human_share,
        cells=options.cells,
        settings=kind,
    )
    settings = DistillSettings(
        seconds=None if options.steps is not None else options.minutes * 60,
        steps=options.steps,
        seed=kind.seed,
        weights=WEIGHTS if teacher else HUMAN_WEIGHTS,
        learning_rate=options.learning_rate,
        cool_down_share=options.cool_down,
    )
    distillation = Distillation(begun, sources, settings, machine)
    say(f"{distillation.student.name}, {distillation.student.parameters:,} parameters")
    _learn(distillation, options.output, held_out, say)
    making = Making(
        teacher=teacher,
        teacher_name=teacher_name,
        archives=tuple(path.name for path in archives),
        held_out=held_out,
        held_out_name=options.held_out.name if options.held_out else "",
        machine=machine,
        threads=options.threads,
        exam_rows=options.exam_rows,
        orientations=options.turns,
    )
    for path in write_results(distillation.averaged(), making, options.output):
        say(f"wrote {path}")
    return 0


def machine_of(device: str) -> Machine:
    """Returns the device and its usual precisions; raises SettingError without such a device."""
    try:
        chosen = torch.device(device)
    except RuntimeError as error:
        raise SettingError(f"no device {device!r}: cuda or cpu") from error
    if chosen.type != "cuda":
        brain = "bf16" in native_precisions()
        learning = torch.bfloat16 if brain else torch.float32
        return Machine(chosen, learning=learning, teaching=learning)
    torch.backends.cudnn.benchmark = True
    torch.set_float32_matmul_precision("high")
    return Machine(chosen, learning=torch.bfloat16, teaching=torch.float16)


def _check(options: argparse.Namespace) -> None:
    """Raises SettingError for a number out of range."""
    for name in ("human_share", "cool_down"):
        if not 0 <= getattr(options, name) <= 1:
            raise SettingError(f"--{name.replace('_', '-')} {getattr(options, name)}: from 0 to 1")
    for name in ("minutes", "steps", "threads", "turns", "cells", "exam_rows"):
        number = getattr(options, name)
        if number is not None and number <= 0:
            raise SettingError(f"--{name.replace('_', '-')} {number}: more than 0")


def _begun(options: argparse.Namespace, say: Say) -> Checkpoint:
    """Returns the folder's run, an earlier run's student, or a new one."""
    if (options.output / NAME).exists():
        begun = read_checkpoint(options.output / NAME)
        say(f"goes on after {begun.progress.steps} steps")
        return begun
    if options.checkpoint is not None:
        return Checkpoint(read_checkpoint(options.checkpoint).finished())
    name = f"sparring-go-b{options.blocks}c{options.channels}"
    shape = student_shape(options.blocks, options.channels)
    return Checkpoint(new_student(name, shape, options.seed))


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
