"""Positions a second of learning: a student's steps, and a teacher's answers."""

from __future__ import annotations

import numpy as np
import torch
from torch import Tensor

from engine.networks.runtime import read_network
from engine.training.go.distill import Distillation, DistillSettings
from engine.training.go.positions import BoardShare, PositionRows, QuickGoGames
from engine.training.go.run_settings import machine_of
from engine.training.go.samples import GoSamples, label
from engine.training.go.student import SCORES, Checkpoint, new_student, student_shape
from engine.training.go.teacher import teacher_of
from tests.support.gpu.settings import Rows, Settings, rate

SHAPES = ((6, 96), (10, 128), (10, 256))  # blocks, channels
BATCHES = (256, 1024)


class StoredSamples:
    """A source of random samples in main memory; see engine/training/go/sources.py."""

    share = 1.0

    def __init__(self, side: int, rows: int) -> None:
        self.board = BoardShare(side, side, 1.0)
        rng = np.random.default_rng(1)
        area = side * side

        def floats(*shape: int) -> Tensor:
            return torch.from_numpy(rng.random(shape, np.float32))

        self._samples = GoSamples(
            planes=(floats(rows, 22, side, side) < 1 / 3).to(torch.uint8),
            globals=floats(rows, 19),
            legal=torch.ones(rows, area + 1, dtype=torch.uint8),
            policy=floats(rows, area + 1).softmax(dim=1).half(),
            value=floats(rows, 3).softmax(dim=1),
            scores=floats(rows, SCORES),
            ownership=(2 * floats(rows, area) - 1).half(),
            human=torch.from_numpy(rng.integers(0, area, rows)),
            ranks=torch.zeros(rows, 2),
        )

    def draw(self, drawn: int, rng: np.random.Generator) -> GoSamples:
        return self._samples


def learning(settings: Settings) -> Rows:
    """A student's positions a second, copies to the device and optimizer included."""
    machine = machine_of(settings.device)
    for batch in (4,) if settings.is_tiny else BATCHES:
        for blocks, channels in ((2, 12),) if settings.is_tiny else SHAPES:
            student = new_student("speed", student_shape(blocks, channels), 1)
            run = Distillation(
                Checkpoint(student),
                [StoredSamples(settings.size, batch)],
                DistillSettings(steps=1_000_000),
                machine,
            )

            def step(run: Distillation = run) -> None:
                parts = run.work()
                assert float(parts["policy"]) < float("inf")  # waits for the device

            yield {
                "student": f"b{blocks}c{channels}",
                "batch": batch,
                "rate": rate(step, batch, settings.seconds),
                "precision": str(machine.learning),
            }


def teaching(settings: Settings) -> Rows:
    """A teacher's labelled positions a second of quick games, two symmetries each."""
    machine = machine_of(settings.device)
    board = BoardShare(settings.size, settings.size, 1.0)
    for network in settings.networks:
        teacher = teacher_of(read_network(settings.path(network)), machine, 2)
        games = 4 if settings.is_tiny else 512
        pinned = machine.device.type == "cuda"
        pool = QuickGoGames(board, games, seed=1, threads=8, pinned=pinned)

        def step(teacher: object = teacher, pool: QuickGoGames = pool) -> None:
            rows: PositionRows = pool.rows.to(machine.device)
            samples, logits = label(teacher, rows, (0, 5))  # type: ignore[arg-type]
            pool.advance(logits.cpu(), samples.scores[:, 2].cpu())

        yield {"teacher": network, "games": games, "rate": rate(step, games, settings.seconds)}
