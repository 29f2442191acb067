"""Learning from a teacher network: games by its policy, lessons about them, batches, steps.

Knows the order of the work and the course of the learning rate. It never stops the clock itself:
`clock` says how many seconds have passed. What is reported goes to `report`, one row of numbers at
a time; where rows are written is the caller's choice.

A turn of the work, on a GPU: the teacher looks at the rows of one board size and the memory takes
its lesson; then batches are drawn and queued, and while the GPU works through them the core plays
the games' next moves and fills their rows.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

import torch
from torch import Tensor

from engine.networks.torch_model import Outputs, TorchNetwork
from engine.training.go.lessons import (
    LEAD,
    POINTS,
    Lesson,
    Memory,
    Network,
    symmetries,
    teach,
    turn_lesson,
)
from engine.training.go.losses import losses, total
from engine.training.go.positions import BOARDS, Board, Games, board_chooser, rows_for
from engine.training.go.student import Student

Numbers = dict[str, float]


@dataclass(frozen=True)
class Settings:
    """How to learn. Shares are of the seconds given."""

    seconds: float
    seed: int = 0
    boards: tuple[Board, ...] = BOARDS
    cells: int = 360_000  # points of all boards of a batch together
    batches_a_move: int = 2  # learned from for each move that the games of a size advance
    remembered_moves: int = 128  # of the games of each size
    turns: int = 2  # symmetries that the teacher's word is the mean of
    learning_rate: float = 2e-3  # the highest
    weight_decay: float = 0.02
    warm_up_share: float = 0.02  # until the learning rate is reached
    cool_down_share: float = 0.5  # in which it falls to nothing
    frozen_share: float = 0.2  # at the end, with fixed normalization
    gradient_bound: float = 1.0  # norm
    threads: int = 1
    report_seconds: float = 5.0


@dataclass(frozen=True)
class Machine:
    """Where and in which precision the arithmetic is done."""

    device: torch.device
    learning: torch.dtype  # of the student's convolutions
    teaching: torch.dtype  # of the teacher's

    def answers(self, network: TorchNetwork, planes: Tensor, globals_: Tensor) -> Outputs:
        """What the student says of planes uint8 [n, 22, H, W] and globals float32 [n, 19]."""
        laid_out = planes.to(self.learning).contiguous(memory_format=torch.channels_last)
        out: Outputs = network(laid_out, globals_)
        return out


def learning_rate(share: float, settings: Settings) -> float:
    """The rate after this share of the time: up at once, level, then straight down to 0."""
    rising = share / settings.warm_up_share if settings.warm_up_share else 1.0
    falling = (1 - share) / settings.cool_down_share if settings.cool_down_share else 1.0
    return settings.learning_rate * max(0.0, min(1.0, rising, falling))


class Course:
    """One course of learning: games and memories of each size, the student, its optimizer."""

    def __init__(
        self, student: Student, teacher: Network, settings: Settings, machine: Machine
    ) -> None:
        self.settings = settings
        self.machine = machine
        self.teacher = teacher
        self.student = student
        student.network.to(machine.device)
        self.generator = torch.Generator(machine.device).manual_seed(settings.seed)
        self.turns = torch.Generator().manual_seed(settings.seed + 1)
        self.choose_board = board_chooser(settings.boards, settings.seed)
        self.optimizer = torch.optim.AdamW(
            _decayed_groups(student.network, settings.weight_decay),
            lr=0.0,
            betas=(0.9, 0.98),
            fused=machine.device.type == "cuda",
        )
        rows = [rows_for(board, settings.cells) for board in settings.boards]
        self.games = [
            Games(
                board,
                count,
                seed=settings.seed * 1000 + index,
                threads=settings.threads,
                pinned=machine.device.type == "cuda",
            )
            for index, (board, count) in enumerate(zip(settings.boards, rows, strict=True))
        ]
        self.memories = [Memory(count * settings.remembered_moves) for count in rows]
        self.positions = 0
        self.batches = 0

    def work(self, share: float) -> dict[str, Tensor]:
        """One turn of the work after this share of the time; the losses of its last batch."""
        index = self.choose_board()
        games, memory = self.games[index], self.memories[index]
        rows = games.rows.to(self.machine.device)
        board = games.board
        lesson, logits = teach(self.teacher, rows, self._random_turns(board, self.settings.turns))
        memory.add(lesson)
        self.positions += len(lesson.globals)
        chosen_by = logits.cpu(), (lesson.scores[:, LEAD] * POINTS).cpu()
        parts: dict[str, Tensor] = {}
        for _ in range(self.settings.batches_a_move):
            batch = memory.draw(len(lesson.globals), self.generator)
            parts = self._learn(turn_lesson(batch, *self._random_turns(board, 1)), share)
        games.advance(*chosen_by)
        return parts

    def _learn(self, lesson: Lesson, share: float) -> dict[str, Tensor]:
        for group in self.optimizer.param_groups:
            group["lr"] = learning_rate(share, self.settings)
        self.student.network.train()
        if share > 1 - self.settings.frozen_share:
            self.student.freeze_norms()
        out = self.machine.answers(self.student.network, lesson.planes, lesson.globals)
        parts = losses(out, lesson)
        self.optimizer.zero_grad(set_to_none=True)
        total(parts).backward()  # type: ignore[no-untyped-call]
        torch.nn.utils.clip_grad_norm_(
            self.student.network.parameters(), self.settings.gradient_bound
        )
        self.optimizer.step()
        self.batches += 1
        return {name: part.detach() for name, part in parts.items()}

    def _random_turns(self, board: Board, count: int) -> list[int]:
        order = torch.randperm(symmetries(board.height, board.width), generator=self.turns)
        return [int(symmetry) for symmetry in order[:count]]


def learn(course: Course, clock: Callable[[], float]) -> Iterator[Numbers]:
    """Works until the seconds are over; gives a row of numbers every `report_seconds`.

    A row: seconds, batches, positions, learning_rate, and the mean of each loss since the last.
    """
    settings = course.settings
    start = reported = clock()
    sums: dict[str, Tensor] = {}
    count = 0
    while (now := clock()) - start < settings.seconds:
        share = (now - start) / settings.seconds
        for name, part in course.work(share).items():
            sums[name] = sums[name] + part if name in sums else part
        count += 1
        if now - reported >= settings.report_seconds:
            yield _row(course, now - start, share, sums, count)
            reported, sums, count = now, {}, 0
    if count:
        yield _row(course, settings.seconds, 1.0, sums, count)


def _row(
    course: Course, seconds: float, share: float, sums: dict[str, Tensor], count: int
) -> Numbers:
    means = {name: round(float(part) / count, 5) for name, part in sums.items()}
    return {
        "seconds": round(seconds, 1),
        "batches": course.batches,
        "positions": course.positions,
        "learning_rate": learning_rate(share, course.settings),
        **means,
    }


def _decayed_groups(student: TorchNetwork, decay: float) -> list[dict[str, object]]:
    """Weights that decay and, without it, scales, shifts and biases."""
    decayed = [weights for weights in student.parameters() if weights.ndim > 1]
    free = [weights for weights in student.parameters() if weights.ndim <= 1]
    return [
        {"params": decayed, "weight_decay": decay},
        {"params": free, "weight_decay": 0.0},
    ]
