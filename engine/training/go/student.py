"""A student between two runs: its weights and statistics, its shape, and what it has done so far.

Knows what a new student looks like and the file it is kept in. The layers themselves are those of
engine/networks/torch_model.py.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, fields, replace
from pathlib import Path

import numpy as np
from safetensors import safe_open
from safetensors.torch import save_file

from engine.networks.fresh import BlockKind, Shape, fresh_architecture
from engine.networks.torch_layers import Norm
from engine.networks.torch_model import TorchNetwork

# KataGo's model version whose outputs a student has: no short-term errors to be learned.
VERSION = 8
SCORES = 4  # score mean, deviation before softplus, lead, variance time before softplus
HEAD_CHANNELS = 32
POOL_EVERY = 3  # blocks: the second of every three pools the whole board


def shape_of(blocks: int, channels: int) -> Shape:
    """A plain residual shape, its heads and pooling no wider than a third of the trunk."""
    kinds: tuple[BlockKind, ...] = tuple(
        "pooled" if index % POOL_EVERY == 1 else "residual" for index in range(blocks)
    )
    narrow = min(HEAD_CHANNELS, channels // 3)
    return Shape(
        blocks=kinds,
        channels=channels,
        middle=channels,
        pooling=narrow,
        head=narrow,
        hidden=2 * narrow,
        activation="relu",
        version=VERSION,
        kernel=5,
    )


@dataclass(frozen=True)
class Totals:
    """What all runs of a student's learning come to."""

    seconds: float = 0.0
    positions: int = 0  # that the teacher judged
    batches: int = 0

    def plus(self, seconds: float, positions: int, batches: int) -> Totals:
        """The totals after one more run."""
        return Totals(self.seconds + seconds, self.positions + positions, self.batches + batches)


@dataclass(frozen=True, eq=False)
class Student:
    """A network that learns, with what is to be known of it."""

    network: TorchNetwork
    shape: Shape
    totals: Totals = Totals()

    @property
    def name(self) -> str:
        """The network's name."""
        return self.network.architecture.name

    @property
    def parameters(self) -> int:
        """Numbers that are learned."""
        return sum(weights.numel() for weights in self.network.parameters())

    def after(self, totals: Totals) -> Student:
        """The same student, having done more."""
        return replace(self, totals=totals)

    def freeze_norms(self) -> None:
        """Normalizes by the running statistics, exactly as it will be run; `train()` undoes it."""
        for module in self.network.modules():
            if isinstance(module, Norm):
                module.eval()


def new_student(name: str, shape: Shape, seed: int) -> Student:
    """A student that knows nothing; the same seed gives the same weights."""
    architecture = fresh_architecture(name, shape, np.random.default_rng(seed))
    return Student(TorchNetwork(architecture), shape)


def write_checkpoint(student: Student, path: Path) -> None:
    """Writes everything `read_checkpoint` needs; the file is there whole or not at all."""
    told = {"name": student.name, "shape": vars(student.shape), "totals": vars(student.totals)}
    state = student.network.state_dict()
    tensors = {name: part.detach().cpu().contiguous() for name, part in state.items()}
    unfinished = path.with_suffix(".unfinished")
    save_file(tensors, unfinished, metadata={"student": json.dumps(told)})
    unfinished.replace(path)


def read_checkpoint(path: Path) -> Student:
    """The student of a checkpoint, in main memory."""
    with safe_open(path, framework="pt") as file:
        told = json.loads(file.metadata()["student"])
        state = {name: file.get_tensor(name) for name in file.keys()}  # noqa: SIM118 - no mapping
    listed = {key: tuple(value) for key, value in told["shape"].items() if isinstance(value, list)}
    known = {field.name for field in fields(Shape)}  # older checkpoints told more
    sizes = {**told["shape"], **listed}
    shape = Shape(**{key: sizes[key] for key in known & sizes.keys()})
    student = new_student(told["name"], shape, 0)
    student.network.load_state_dict(state)
    return student.after(Totals(**told["totals"]))
