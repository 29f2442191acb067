"""Distillation step by step from samples: batches, steps, learning rates.

A distillation has a fixed order of work. All randomness of a step comes from the seed and the
step's number: a distillation limited by steps resumes from its checkpoint to the same numbers as an
uninterrupted one. It never reads the clock itself: `clock` returns the elapsed seconds. Reports
leave as rows of numbers; the caller writes them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

import torch
from torch import Tensor

from engine.errors import SettingError
from engine.networks.torch_model import Outputs, TorchNetwork
from engine.training.common.convolution import use_core
from engine.training.common.optimizer import (
    adamw,
    part_of,
    prefixed,
    restore_state,
    set_rate,
    state_tensors,
)
from engine.training.go.averaging import Average
from engine.training.go.batches import Batches
from engine.training.go.losses import WEIGHTS, losses, total
from engine.training.go.rank_inputs import profiles_of, strongest
from engine.training.go.samples import GoSamples, turn_samples
from engine.training.go.sources import Source
from engine.training.go.student import Checkpoint, Student, StudentProgress

Numbers = dict[str, float]

AVERAGE, OPTIMIZER = "average", "optimizer"  # before the names of their tensors


@dataclass(frozen=True)
class DistillSettings:
    """The settings of learning, for some seconds or some steps; shares are of those."""

    seconds: float | None = None  # exactly one of these two is set
    steps: int | None = None
    seed: int = 0
    weights: Mapping[str, float] = field(default_factory=lambda: dict(WEIGHTS))  # of the losses
    learning_rate: float = 2e-3  # the highest
    weight_decay: float = 0.02
    warm_up_steps: int = 100  # until the highest rate
    cool_down_share: float = 0.5  # the falling part at the end
    frozen_share: float = 0.2  # at the end, with fixed normalization
    gradient_bound: float = 1.0  # norm
    report_steps: int = 25

    def __post_init__(self) -> None:
        if (self.seconds is None) == (self.steps is None):
            raise SettingError(f"a run lasts {self.seconds} seconds or {self.steps} steps?")


@dataclass(frozen=True)
class Machine:
    """The device and the precision of the arithmetic."""

    device: torch.device
    learning: torch.dtype  # of the student's convolutions
    teaching: torch.dtype  # of the teacher's, on a GPU

    def answers(
        self, network: TorchNetwork, planes: Tensor, globals_: Tensor, ranks: Tensor | None = None
    ) -> Outputs:
        """Returns the outputs for planes uint8 [n, 22, H, W] and globals float32 [n, 19].

        ranks: as in GoSamples, for a network with a profile input; None: 9 dan.
        """
        laid_out = planes.to(self.learning).contiguous(memory_format=torch.channels_last)
        profiles = None
        if network.encoder is not None:
            profiles = profiles_of(strongest(len(planes)) if ranks is None else ranks)
            profiles = profiles.to(planes.device)
        out: Outputs = network(laid_out, globals_, profiles)
        return out


def share_done(progress: StudentProgress, settings: DistillSettings) -> float:
    """Returns the finished share of the run."""
    if settings.steps is not None:
        return progress.steps / settings.steps
    return progress.seconds / (settings.seconds or 1.0)


def learning_rate(progress: StudentProgress, settings: DistillSettings) -> float:
    """Returns the present rate: a fast rise, a level part, then a straight fall to 0."""
    left = 1 - share_done(progress, settings)
    rising = (progress.steps + 1) / (settings.warm_up_steps or 1)
    falling = left / settings.cool_down_share if settings.cool_down_share else 1.0
    return settings.learning_rate * max(0.0, min(1.0, rising, falling))


class Distillation:
    """One training run: the student, the mean of its weights, its optimizer."""

    def __init__(
        self,
        begun: Checkpoint,
        sources: Sequence[Source],
        settings: DistillSettings,
        machine: Machine,
    ) -> None:
        self.settings, self.machine = settings, machine
        is_gpu = machine.device.type == "cuda"
        self.batches = Batches(sources, settings.seed, machine.device, draws_ahead=is_gpu)
        self.student: Student = begun.student
        network = use_core(self.student.network.to(machine.device))
        self.average = Average(network)
        self.optimizer = adamw(network, settings.weight_decay)
        self.progress = replace(begun.progress, drawn=begun.progress.drawn or [0] * len(sources))
        if len(self.progress.drawn) != len(sources):
            known = len(self.progress.drawn)
            raise SettingError(
                f"the checkpoint drew from {known} sources, there are {len(sources)}"
            )
        restore_state(self.optimizer, part_of(begun.tensors, OPTIMIZER))
        for name, part in part_of(begun.tensors, AVERAGE).items():
            self.average.state[name].copy_(part)

    def work(self) -> dict[str, Tensor]:
        """Learns one step; returns the losses of its batch, scalars []."""
        progress = self.progress
        batch = self.batches.at(progress.steps, list(progress.drawn))
        device = self.machine.device
        samples = GoSamples(*(part.to(device, non_blocking=True) for part in batch.samples))
        parts = self._learn(turn_samples(samples, batch.symmetry), has_moves=batch.has_moves)
        progress.drawn[batch.source] += 1
        progress.steps += 1
        progress.positions += len(samples.globals)
        progress.human_positions += len(samples.globals) if batch.has_moves else 0
        self.average.add(self.student.network, progress.steps)
        return parts

    def checkpoint(self) -> Checkpoint:
        """Returns the state for a continuation."""
        tensors = prefixed(AVERAGE, self.average.state)
        tensors |= prefixed(OPTIMIZER, state_tensors(self.optimizer))
        return Checkpoint(self.student, self.progress, tensors)

    def averaged(self) -> Student:
        """Returns the student with the mean of its weights and its totals; it learns no more."""
        totals = self.student.totals.plus(self.progress.totals())
        self.student.network.load_state_dict(self.average.state)
        self.student.network.eval()
        return self.student.after(totals)

    def _learn(self, samples: GoSamples, *, has_moves: bool) -> dict[str, Tensor]:
        set_rate(self.optimizer, learning_rate(self.progress, self.settings))
        self.student.network.train()
        if share_done(self.progress, self.settings) > 1 - self.settings.frozen_share:
            self.student.freeze_norms()
        out = self.machine.answers(
            self.student.network, samples.planes, samples.globals, samples.ranks
        )
        parts = losses(out, samples, has_moves=has_moves)
        self.optimizer.zero_grad(set_to_none=True)
        total(parts, self.settings.weights).backward()  # type: ignore[no-untyped-call]
        torch.nn.utils.clip_grad_norm_(
            self.student.network.parameters(), self.settings.gradient_bound
        )
        self.optimizer.step()
        return {
            name: part.detach() for name, part in parts.items() if name in self.settings.weights
        }


def learn(distillation: Distillation, clock: Callable[[], float]) -> Iterator[Numbers]:
    """Works to the end of the run; yields a row every `report_steps` and at the end.

    A row: seconds, positions, learning_rate, and the mean of each loss since the last. A checkpoint
    taken at a row continues to the same rows.
    """
    progress, settings = distillation.progress, distillation.settings
    start = clock() - progress.seconds
    recent: dict[str, list[Tensor]] = {}
    while share_done(progress, settings) < 1:
        for name, part in distillation.work().items():
            recent.setdefault(name, []).append(part)
        progress.seconds = clock() - start
        over = share_done(progress, settings) >= 1
        if progress.steps % settings.report_steps == 0 or over:
            yield {
                "seconds": round(progress.seconds, 1),
                "positions": progress.positions,
                "learning_rate": learning_rate(progress, settings),
                **{
                    name: round(float(torch.stack(parts).mean()), 5)
                    for name, parts in recent.items()
                },
            }
            recent = {}
