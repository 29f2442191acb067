"""The course `sparring train go`: options in, files in a folder out.

Knows the order of a run (teacher, exam, learning, grades, card) and the names of the files:
`metrics.jsonl` grows while it learns, `checkpoint.safetensors` is what `--continue` goes on from,
`go.safetensors` is the network to play with, `go.md` its card, `grades.json` its scores.
"""

from __future__ import annotations

import argparse
import json
import os
import time
from collections.abc import Callable
from dataclasses import asdict
from pathlib import Path

import torch
from tqdm import tqdm

from engine.networks.sparring import write_sparring
from engine.training.go.card import Run, card_of
from engine.training.go.distill import Course, Machine, Settings, learn
from engine.training.go.exam import Exam, read_humans, write_exam
from engine.training.go.lessons import Network
from engine.training.go.student import (
    Student,
    new_student,
    read_checkpoint,
    shape_of,
    write_checkpoint,
)
from engine.training.go.teacher import load_teacher

Say = Callable[[str], None]

# A little larger than KataGo's 6 blocks of 96, which teaches it.
BLOCKS = 7
CHANNELS = 96
EXAM_ROWS = 4096  # of each board
CHECKPOINT_SECONDS = 60.0


def configure(parser: argparse.ArgumentParser) -> None:
    """Adds the options of `sparring train go` to `parser`."""
    parser.add_argument(
        "--teacher", type=Path, required=True, metavar="FILE", help="a network to learn from"
    )
    parser.add_argument(
        "--output", type=Path, default=Path("training"), metavar="DIR", help="default: %(default)s"
    )
    parser.add_argument(
        "--minutes", type=float, default=60.0, help="of learning; default: %(default)s"
    )
    parser.add_argument(
        "--continue", dest="checkpoint", type=Path, metavar="FILE", help="an earlier checkpoint"
    )
    parser.add_argument(
        "--human-games", type=Path, metavar="ZIP", help="Tygem games whose moves it is graded on"
    )
    parser.add_argument(
        "--device", default="cuda" if torch.cuda.is_available() else "cpu", help="cuda or cpu"
    )
    parser.add_argument("--seed", type=int, default=1, help="default: %(default)s")
    parser.add_argument("--threads", type=int, default=os.cpu_count() or 1, help="for the games")
    parser.add_argument("--blocks", type=int, default=BLOCKS, help="default: %(default)s")
    parser.add_argument("--channels", type=int, default=CHANNELS, help="default: %(default)s")
    parser.add_argument(
        "--cells", type=int, default=Settings.cells, help="points in a batch; default: %(default)s"
    )
    parser.add_argument(
        "--learning-rate", type=float, default=Settings.learning_rate, help="default: %(default)s"
    )
    parser.add_argument(
        "--turns",
        type=int,
        default=Settings.turns,
        help="symmetries of the teacher that are averaged; default: %(default)s",
    )
    parser.add_argument(
        "--batches-a-move",
        type=int,
        default=Settings.batches_a_move,
        help="more spare the teacher and play fewer games; default: %(default)s",
    )
    parser.add_argument(
        "--exam-rows", type=int, default=EXAM_ROWS, help="of each board; default: %(default)s"
    )


def run(options: argparse.Namespace, say: Say) -> int:
    """Distils a network for Go as the options say; 0 when its files are written."""
    options.output.mkdir(parents=True, exist_ok=True)
    machine = machine_of(options.device)
    teacher, teacher_name = load_teacher(options.teacher, machine)
    student = _student(options)
    settings = Settings(
        seconds=options.minutes * 60,
        seed=options.seed + student.totals.batches,  # another run sees other games
        cells=options.cells,
        learning_rate=options.learning_rate,
        turns=options.turns,
        batches_a_move=options.batches_a_move,
        threads=options.threads,
    )
    say(f"{student.name}, {student.parameters:,} parameters, learns from {teacher_name}")
    exam = _exam(teacher, options, machine)
    say(f"the exam has {exam.positions:,} positions")
    course = Course(student, teacher, settings, machine)
    student = _learn(course, student, options.output)
    told = _told(student, teacher, teacher_name, exam, course)
    _write_results(student, told, options)
    say(f"wrote {options.output}")
    return 0


def machine_of(device: str) -> Machine:
    """The device and the precisions that suit it."""
    chosen = torch.device(device)
    if chosen.type != "cuda":
        return Machine(chosen, learning=torch.float32, teaching=torch.float32)
    torch.backends.cudnn.benchmark = True
    torch.set_float32_matmul_precision("high")
    return Machine(chosen, learning=torch.bfloat16, teaching=torch.float16)


def _student(options: argparse.Namespace) -> Student:
    if options.checkpoint is not None:
        return read_checkpoint(options.checkpoint)
    name = f"sparring-go-b{options.blocks}c{options.channels}"
    return new_student(name, shape_of(options.blocks, options.channels), options.seed)


def _exam(teacher: Network, options: argparse.Namespace, machine: Machine) -> Exam:
    lessons = write_exam(
        teacher, kept=options.exam_rows, device=machine.device, threads=options.threads
    )
    humans = options.human_games and read_humans(options.human_games).to(machine.device)
    return Exam(lessons, humans or None)


def _learn(course: Course, student: Student, output: Path) -> Student:
    """Works through the course; each row goes to metrics.jsonl, now and then a checkpoint."""

    def now(seconds: float) -> Student:
        return student.after(student.totals.plus(seconds, course.positions, course.batches))

    saved = time.monotonic()
    metrics = (output / "metrics.jsonl").open("a", encoding="utf-8")
    with metrics, tqdm(total=round(course.settings.seconds), unit="s", mininterval=1.0) as bar:
        for row in learn(course, time.monotonic):
            metrics.write(json.dumps(row) + "\n")
            metrics.flush()
            bar.update(round(row["seconds"]) - bar.n)
            bar.set_postfix(batches=course.batches, policy=row["policy"], value=row["value"])
            if time.monotonic() - saved > CHECKPOINT_SECONDS:
                write_checkpoint(now(row["seconds"]), output / "checkpoint.safetensors")
                saved = time.monotonic()
    return now(course.settings.seconds)


def _told(student: Student, teacher: Network, teacher_name: str, exam: Exam, course: Course) -> Run:
    machine = course.machine
    student.network.eval()
    own = exam.grade(lambda *rows: machine.answers(student.network, *rows))
    cuda = machine.device.type == "cuda"
    return Run(
        name=student.name,
        shape=student.shape,
        parameters=student.parameters,
        totals=student.totals,
        teacher=teacher_name,
        orientations=course.settings.turns,
        device=torch.cuda.get_device_name(machine.device) if cuda else "a CPU",
        grades=own,
        teacher_grades=exam.grade(teacher),
    )


def _write_results(student: Student, told: Run, options: argparse.Namespace) -> None:
    """Writes the checkpoint, the network, its card and its scores."""
    output: Path = options.output
    write_checkpoint(student, output / "checkpoint.safetensors")
    write_sparring(output / "go.safetensors", student.network.export(), asdict(told))
    card_of(told).write(output / "go.md")
    grades = json.dumps(asdict(told), indent=1)
    (output / "grades.json").write_text(grades + "\n", encoding="utf-8")
