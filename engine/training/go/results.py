"""What comes out of a course: the networks in their files, their grades and cards.

The networks are graded as they are shipped: read back from their files and run by the engine.
"""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass
from pathlib import Path

import torch

from engine.networks.one_policy import one_policy
from engine.networks.sparring import read_sparring, write_sparring
from engine.training.go.card import Run, go_card, human_card
from engine.training.go.distill import Course, Machine
from engine.training.go.exam import (
    HUMAN_BOARD,
    Exam,
    Grades,
    human_lesson,
    write_exam,
)
from engine.training.go.humans import HumanMoves
from engine.training.go.lessons import Network, masked_policy
from engine.training.go.student import HUMAN, TAUGHT, Student
from engine.training.go.teacher import teacher_of

LOOK_MOVES = 512


@dataclass(frozen=True)
class Making:
    """What a course had to learn from and is graded by."""

    teacher: Network | None
    teacher_name: str
    archives: tuple[str, ...]  # of human games
    held_out: HumanMoves | None
    held_out_name: str
    machine: Machine
    threads: int
    exam_rows: int
    orientations: int  # of the teacher


@torch.no_grad()
def human_top1(course: Course, held_out: HumanMoves) -> float:
    """The share of LOOK_MOVES human moves that the course's student foretells now."""
    network = course.student.network.eval()
    rows = [part[:LOOK_MOVES] for part in held_out.rows]
    out = course.machine.answers(network, rows[0], rows[1])
    best = masked_policy(out.policy[:, HUMAN], rows[2]).argmax(dim=1)
    return round(float((best == held_out.moves[:LOOK_MOVES]).float().mean()), 4)


def write_results(student: Student, making: Making, output: Path) -> list[Path]:
    """Writes the networks that were learned, their cards and grades; the paths of the files."""
    exam = _exam(making)
    teacher_grades = exam.grade(making.teacher) if making.teacher else None
    written, grades = [], {}
    for name, policy in (("go", TAUGHT), ("go-human", HUMAN)):
        if (making.teacher is None and policy == TAUGHT) or (
            not making.archives and policy == HUMAN
        ):
            continue
        path = output / f"{name}.safetensors"
        architecture = one_policy(student.network.export(), policy)
        write_sparring(path, architecture, {})
        network = teacher_of(read_sparring(path), making.machine, making.threads)
        run = _run(student, making, exam.grade(network), teacher_grades)
        write_sparring(path, architecture, asdict(run))
        card = go_card(run) if policy == TAUGHT else human_card(run)
        card.write(output / f"{name}.md")
        written += [path, output / f"{name}.md"]
        grades[name] = asdict(run)
    told = json.dumps(grades, indent=1)
    (output / "grades.json").write_text(told + "\n", encoding="utf-8")
    return written


def _exam(making: Making) -> Exam:
    lessons = {}
    if making.teacher is not None:
        lessons = write_exam(
            making.teacher,
            kept=making.exam_rows,
            device=making.machine.device,
            threads=making.threads,
        )
        if making.held_out is not None:
            lessons[HUMAN_BOARD] = human_lesson(making.teacher, making.held_out, making.exam_rows)
    return Exam(lessons, making.held_out)


def _run(student: Student, making: Making, grades: Grades, teacher_grades: Grades | None) -> Run:
    machine = making.machine
    cuda = machine.device.type == "cuda"
    return Run(
        name=student.name,
        shape=student.shape,
        parameters=student.parameters,
        totals=student.totals,
        teacher=making.teacher_name,
        orientations=making.orientations,
        archives=making.archives,
        held_out=making.held_out_name,
        device=torch.cuda.get_device_name(machine.device) if cuda else "a CPU",
        grades=grades,
        teacher_grades=teacher_grades,
    )
