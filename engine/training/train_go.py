"""The training of `sparring train go` and `go-human`: settings in, files in a folder out.

The module has the order of a run (teacher, games, learning, validation, cards) and the names of the
files: `metrics.jsonl` grows during learning, `checkpoint.safetensors` lets the same command resume,
`games.npz` has the human games, `chapters` the shards in use; at the end come `go.safetensors` and
`go-human.safetensors`, the networks to play with, their cards and `grades.json`.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

import torch
from tqdm import tqdm

from engine.errors import SettingError
from engine.networks.native_backend import native_precisions
from engine.networks.processor import cores
from engine.training.common.metrics import Metrics
from engine.training.go.distill import Distillation, DistillSettings, Machine, Numbers, learn
from engine.training.go.humans import HumanMoves
from engine.training.go.losses import HUMAN_WEIGHTS, RANKED_WEIGHTS, WEIGHTS
from engine.training.go.positions import BOARDS
from engine.training.go.rank_inputs import with_rank_inputs
from engine.training.go.records import GameTable, find_archives, read_table
from engine.training.go.results import Making, human_top1, write_results
from engine.training.go.samples import Network
from engine.training.go.shards import ShardSettings
from engine.training.go.sources import sources_of
from engine.training.go.start import earlier_student
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

CHECKPOINT_SECONDS = 60.0
START_BOARDS = tuple(board for board in BOARDS if board.share > 0.1)  # for a network's statistics
LOOK_STEPS = 500  # between metrics on human moves
NAME = "checkpoint.safetensors"


def usual_device() -> str:
    """Returns "cuda" where there is a GPU, else "cpu"."""
    return "cuda" if torch.cuda.is_available() else "cpu"


@dataclass(frozen=True)
class GoRunSettings:
    """The settings of one run: its files, its limits, its network and its batches."""

    output: Path  # the folder of the run's files; a run in it is resumed
    teacher: Path | None = None  # the network to learn from; None: human games alone
    player: Path | None = None  # the network that plays quick games; None: the teacher
    games: tuple[Path, ...] = ()  # archives of human games, or folders of them
    held_out: Path | None = None  # archive of games for validation alone
    seconds: float | None = None  # total of learning; exactly one of these two is set
    steps: int | None = None
    # An earlier run's checkpoint or a network to begin with, if the output folder has no run.
    checkpoint: Path | None = None
    device: str = field(default_factory=usual_device)  # "cuda" or "cpu"
    seed: int = 1
    threads: int = field(default_factory=cores)
    # The size of KataGo's network of 6 blocks of 96, a teacher.
    blocks: int = 6
    channels: int = 96
    cells: int = 24_000  # points of all boards of a batch together
    learning_rate: float = DistillSettings.learning_rate
    cool_down_share: float = DistillSettings.cool_down_share  # of the run; the rate falls in it
    validation_rows: int = 4096  # of each board
    human_share: float = 0.45  # of the batches, beside quick games
    orientations: int = 1  # symmetries of the teacher that are averaged
    shard_cells: int = 8_000_000  # points in a shard of all boards; human games have their share
    uses: float = 4.0  # mean number of draws of a judged position
    ranked: bool = False  # learn every player's moves with both ranks, without a teacher


def learn_go(settings: GoRunSettings, say: Say) -> None:
    """Learns from a teacher, from human games or from both, and writes the files.

    Raises SettingError for an impossible device, and for files of another kind.
    """
    machine, teacher, name = machine_of(settings.device), None, ""
    if settings.teacher is not None:
        teacher, name = load_teacher(settings.teacher, machine, settings.threads)
    settings.output.mkdir(parents=True, exist_ok=True)
    torch.set_num_threads(settings.threads)
    archives: list[Path] = []
    table = None
    if settings.games:
        archives = find_archives(settings.games, settings.held_out)
        table = read_table(archives, settings.output / "games.npz")
        say(f"{len(table):,} human games of {len(archives)} archives")
    held_out = read_humans(settings.held_out).to(machine.device) if settings.held_out else None
    player = None
    if settings.player is not None:
        player, _ = load_teacher(settings.player, machine, settings.threads)
    distillation = _distillation(
        settings, machine, teacher=teacher, player=player, table=table, say=say
    )
    say(f"{distillation.student.name}, {distillation.student.parameters:,} parameters")
    _learn(distillation, settings.output, held_out, say)
    making = Making(
        teacher=teacher,
        teacher_name=name,
        player=player,
        archives=tuple(path.name for path in archives),
        held_out=held_out,
        held_out_name=settings.held_out.name if settings.held_out else "",
        machine=machine,
        threads=settings.threads,
        exam_rows=settings.validation_rows,
        orientations=settings.orientations,
        ranked=settings.ranked,
    )
    for path in write_results(distillation.averaged(), making, settings.output):
        say(f"wrote {path}")


def _distillation(
    settings: GoRunSettings,
    machine: Machine,
    *,
    teacher: Network | None,
    player: Network | None,
    table: GameTable | None,
    say: Say,
) -> Distillation:
    """Returns the run's learning, resumed if its folder has a checkpoint."""
    begun = _begun(settings, machine, say)
    shards = ShardSettings(
        folder=settings.output / "chapters",
        seed=settings.seed + begun.student.totals.batches,  # another run has other games
        cells=settings.shard_cells,
        turns=settings.orientations,
        threads=settings.threads,
        device=machine.device,
        uses=settings.uses,
    )
    sources = sources_of(
        teacher,
        table,
        boards=BOARDS,
        human_share=settings.human_share,
        cells=settings.cells,
        settings=shards,
        player=player,
        ranked=settings.ranked,
    )
    learning = DistillSettings(
        seconds=settings.seconds,
        steps=settings.steps,
        seed=shards.seed,
        weights=_weights(settings),
        learning_rate=settings.learning_rate,
        cool_down_share=settings.cool_down_share,
    )
    return Distillation(begun, sources, learning, machine)


def _weights(settings: GoRunSettings) -> Mapping[str, float]:
    if settings.ranked:
        return RANKED_WEIGHTS
    return WEIGHTS if settings.teacher else HUMAN_WEIGHTS


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
