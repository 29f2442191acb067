"""The results of a run: the networks in their files, their metrics and cards.

The networks are validated as shipped: read back from their files and run by the engine.
"""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass
from pathlib import Path

import torch

from engine.networks.architecture import Architecture
from engine.networks.bundled import SUFFIX
from engine.networks.description import describe
from engine.networks.one_policy import one_policy
from engine.networks.sparring import read_sparring, write_sparring
from engine.training.go.card import CardRun, go_card, human_card
from engine.training.go.distill import Distillation, Machine
from engine.training.go.humans import HumanMoves
from engine.training.go.run_settings import GoRunSettings
from engine.training.go.run_sources import RunSources
from engine.training.go.samples import masked_policy
from engine.training.go.student import HUMAN, TAUGHT, Student
from engine.training.go.teacher import teacher_of
from engine.training.go.validation import (
    HUMAN_BOARD,
    GoMetrics,
    ValidationSet,
    draw_validation_samples,
    human_samples,
)

LOOK_MOVES = 512
CARDS = {"go": go_card, "go-human": human_card}


@dataclass(frozen=True)
class Making:
    """A run's settings and sources, and the human games for its validation."""

    settings: GoRunSettings
    sources: RunSources
    held_out: HumanMoves | None
    machine: Machine


@torch.no_grad()
def human_top1(distillation: Distillation, held_out: HumanMoves) -> float:
    """Returns the student's share of correct moves among LOOK_MOVES human moves."""
    network = distillation.student.network.eval()
    rows = [part[:LOOK_MOVES] for part in held_out.rows]
    out = distillation.machine.answers(network, rows[0], rows[1])
    best = masked_policy(out.policy[:, HUMAN], rows[2]).argmax(dim=1)
    return round(float((best == held_out.moves[:LOOK_MOVES]).float().mean()), 4)


def write_results(student: Student, making: Making) -> list[Path]:
    """Writes the trained networks, their cards and metrics; returns the files' paths.

    The networks are written before the validation, because it takes a while.
    """
    teacher, output = making.sources.teacher, making.settings.output
    architectures = {
        name: one_policy(student.network.export(), policy)
        for name, policy, learned in (
            ("go", TAUGHT, teacher is not None),
            ("go-human", HUMAN, bool(making.sources.archives)),
        )
        if learned
    }
    for name, architecture in architectures.items():
        write_sparring(output / f"{name}{SUFFIX}", architecture, {})
    validation = _validation_set(making)
    teacher_metrics = validation.measure(teacher) if teacher else None
    written, metrics = [], {}
    for name, architecture in architectures.items():
        path, card_path = output / f"{name}{SUFFIX}", output / f"{name}.md"
        network = teacher_of(read_sparring(path), making.machine, making.settings.threads)
        run = _run(student, architecture, making, validation.measure(network), teacher_metrics)
        write_sparring(path, architecture, asdict(run))
        CARDS[name](run).write(card_path)
        written += [path, card_path]
        metrics[name] = asdict(run)
    text = json.dumps(metrics, indent=1)
    (output / "grades.json").write_text(text + "\n", encoding="utf-8")
    return written


def _validation_set(making: Making) -> ValidationSet:
    samples, teacher, settings = {}, making.sources.teacher, making.settings
    if teacher is not None:
        samples = draw_validation_samples(
            teacher,
            positions=settings.validation_rows,
            device=making.machine.device,
            threads=settings.threads,
            player=making.sources.player,
        )
        if making.held_out is not None:
            samples[HUMAN_BOARD] = human_samples(teacher, making.held_out, settings.validation_rows)
    return ValidationSet(samples, making.held_out)


def _run(
    student: Student,
    architecture: Architecture,
    making: Making,
    metrics: GoMetrics,
    teacher_metrics: GoMetrics | None,
) -> CardRun:
    machine, settings = making.machine, making.settings
    cuda = machine.device.type == "cuda"
    return CardRun(
        name=student.name,
        shape=student.shape,
        parameters=describe(architecture).parameters,
        totals=student.totals,
        origin=student.origin,
        teacher=making.sources.teacher_name,
        orientations=settings.orientations,
        archives=tuple(path.name for path in making.sources.archives),
        held_out=settings.held_out.name if settings.held_out else "",
        device=torch.cuda.get_device_name(machine.device) if cuda else "a CPU",
        grades=metrics,
        teacher_grades=teacher_metrics,
        doubter=settings.doubter.name if settings.doubter else "",
        ranked=settings.ranked,
    )
