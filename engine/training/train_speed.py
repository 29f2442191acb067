"""`sparring train speed`: the speed of learning here, by the core's convolutions and torch's.

The measured step is a whole one: forward, losses, gradients, optimizer, on random boards of one
size. Both ways alternate step by step, because the machine's speed changes within a minute; the
report has processor time beside elapsed time, because other programs may be running.
"""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import NamedTuple

import torch
from torch.nn import functional

from engine.networks.fresh import Shape
from engine.networks.processor import cores
from engine.networks.torch_model import TorchNetwork
from engine.training.common.convolution import available, use_core
from engine.training.common.optimizer import adamw, set_rate
from engine.training.go.student import new_student, shape_of

Say = Callable[[str], None]

RATE = 1e-3
GRADIENT_BOUND = 1.0
WARM_UP = 2  # steps


class Taken(NamedTuple):
    """The times of one step."""

    seconds: float
    processor: float  # seconds of all threads


@dataclass(frozen=True)
class StepSpeedSettings:
    """The network, the step and the time of a measurement."""

    blocks: int = 6
    channels: int = 96
    size: int = 19  # of the board
    batch: int = 64  # positions in a step
    seconds: float = 10.0  # of both ways together
    threads: int = field(default_factory=cores)


def measure_speed(settings: StepSpeedSettings, say: Say) -> bool:
    """Measures and reports; returns False without the core's convolutions."""
    if not available():
        say("this processor learns by torch alone: it has no AVX-512 with bfloat16, or AMX beside")
        return False
    torch.set_num_threads(settings.threads)
    shape = shape_of(settings.blocks, settings.channels)
    ways = {
        "torch": _step(shape, settings, core=False),
        "core": _step(shape, settings, core=True),
    }
    taken: dict[str, list[Taken]] = {name: [] for name in ways}
    for step in ways.values():
        for _ in range(WARM_UP):
            step()
    end = time.perf_counter() + settings.seconds
    while time.perf_counter() < end or not taken["core"]:
        for name, step in ways.items():
            taken[name].append(_timed(step))
    say(f"{settings.blocks} blocks of {settings.channels}, {settings.size}x{settings.size}, "
        f"{settings.batch} positions a step, threads: {settings.threads}")  # fmt: skip
    for name, steps in taken.items():
        seconds, processor = _medians(steps)
        speed = settings.batch / seconds
        say(f"{name:5}  {speed:7.0f} positions/s, {1000 * seconds:6.0f} ms a step, "
            f"{1000 * processor:6.0f} ms of processor time")  # fmt: skip
    (slow, slow_processor), (fast, fast_processor) = map(_medians, taken.values())
    say(f"ratio  {slow / fast:.2f}, of processor time {slow_processor / fast_processor:.2f}")
    return True


def _medians(steps: list[Taken]) -> Taken:
    return Taken(*(statistics.median(column) for column in zip(*steps, strict=True)))


def _timed(step: Callable[[], None]) -> Taken:
    start, processor = time.perf_counter(), time.process_time()
    step()
    return Taken(time.perf_counter() - start, time.process_time() - processor)


def _step(shape: Shape, settings: StepSpeedSettings, *, core: bool) -> Callable[[], None]:
    """Returns one step of a network of its own."""
    network: TorchNetwork = new_student("speed", shape, seed=1).network.train()
    if core:
        use_core(network)
    optimizer = adamw(network, 0.0)
    set_rate(optimizer, RATE)
    random = torch.Generator().manual_seed(1)
    count, size = settings.batch, settings.size
    inputs = network.architecture.planes.weights.shape[1]
    spatial = torch.rand(count, inputs, size, size, generator=random) < 1 / 3
    planes = spatial.to(torch.bfloat16).contiguous(memory_format=torch.channels_last)
    globals_ = torch.rand(count, network.architecture.globals.weights.shape[0], generator=random)
    taught = torch.rand(count, size * size + 1, generator=random).softmax(dim=1)

    def step() -> None:
        out = network(planes, globals_)
        policy = out.policy[:, 0].float().log_softmax(dim=1)
        loss = functional.kl_div(policy, taught, reduction="batchmean")
        loss = loss + sum(part.float().square().mean() for part in out[1:])
        optimizer.zero_grad(set_to_none=True)
        loss.backward()
        torch.nn.utils.clip_grad_norm_(network.parameters(), GRADIENT_BOUND)
        optimizer.step()

    return step
