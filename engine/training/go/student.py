"""A student between two runs: its weights and statistics, its shape and its totals.

A student has two policies over one trunk, the teacher's and a human's; each exports as a network of
its own. The module makes new students, and reads and writes their checkpoints. The layers are those
of engine/networks/torch_model.py.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, fields, replace
from pathlib import Path

import numpy as np
import torch
from safetensors import SafetensorError, safe_open
from safetensors.torch import save_file
from torch import Tensor

from engine.errors import SettingError
from engine.networks.fresh import BlockKind, Shape, fresh_architecture
from engine.networks.torch_layers import fix_norms
from engine.networks.torch_model import TorchNetwork
from engine.util.atomic_file import atomic_write

# KataGo's model version with the same outputs: without short-term errors.
VERSION = 8
SCORES = 4  # score mean, deviation before softplus, lead, variance time before softplus
HEAD_CHANNELS = 32
TAUGHT, HUMAN = 0, 1  # the policies: the teacher's and a human's
POLICIES = 2
POOL_EVERY = 3  # blocks: the second of every three pools the whole board


def shape_of(blocks: int, channels: int) -> Shape:
    """Returns a plain residual shape, its heads and pooling no wider than a third of the trunk."""
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


def student_shape(blocks: int, channels: int) -> Shape:
    """Returns the same shape with a student's policies."""
    return replace(shape_of(blocks, channels), policies=POLICIES)


@dataclass(frozen=True)
class Totals:
    """The totals of all of a student's runs."""

    seconds: float = 0.0
    positions: int = 0  # learned, repetitions included
    batches: int = 0
    human_positions: int = 0  # of human games, among them

    def plus(self, other: Totals) -> Totals:
        """Returns the sum of both totals."""
        return Totals(
            self.seconds + other.seconds,
            self.positions + other.positions,
            self.batches + other.batches,
            self.human_positions + other.human_positions,
        )


@dataclass
class StudentProgress:
    """The progress of a run."""

    steps: int = 0
    seconds: float = 0.0
    positions: int = 0
    human_positions: int = 0
    drawn: list[int] = field(default_factory=list)  # batches from each source

    def totals(self) -> Totals:
        """Returns the totals of the run."""
        return Totals(self.seconds, self.positions, self.steps, self.human_positions)


@dataclass(frozen=True, eq=False)
class Student:
    """A network in training, with its shape and totals."""

    network: TorchNetwork
    shape: Shape
    totals: Totals = Totals()
    origin: str = ""  # the network that its weights began as; "" for random ones

    @property
    def name(self) -> str:
        """The network's name."""
        return self.network.architecture.name

    @property
    def parameters(self) -> int:
        """The number of trainable parameters."""
        return sum(weights.numel() for weights in self.network.parameters())

    def after(self, totals: Totals) -> Student:
        """Returns the student with other totals."""
        return replace(self, totals=totals)

    def freeze_norms(self) -> None:
        """Normalizes by the running statistics, as in play; `train()` undoes it."""
        fix_norms(self.network)


def new_student(name: str, shape: Shape, seed: int) -> Student:
    """Returns a student with random weights; the same seed gives the same weights."""
    architecture = fresh_architecture(name, shape, np.random.default_rng(seed))
    return Student(TorchNetwork(architecture), shape)


@dataclass(frozen=True, eq=False)
class Checkpoint:
    """A student in training, with the state of its run."""

    student: Student  # its totals are those of earlier runs
    progress: StudentProgress = field(default_factory=StudentProgress)
    tensors: dict[str, Tensor] = field(default_factory=dict)  # of the run

    def finished(self) -> Student:
        """Returns the student with its run's totals added to those of earlier runs."""
        return self.student.after(self.student.totals.plus(self.progress.totals()))


def two_policies(state: Mapping[str, Tensor]) -> dict[str, Tensor]:
    """Returns the state of a network with one policy, and a second policy as its copy.

    The moves' weights become [2, head, 1, 1], the pass's [pooled, 2].
    """
    moves, passing = state["policy.moves.weight"], state["policy.pass_output.weight"]
    return {
        **state,
        "policy.moves.weight": torch.cat((moves, moves)),
        "policy.pass_output.weight": torch.cat((passing, passing), dim=1),
    }


COURSE = "course."  # before the names of a run's tensors


def write_checkpoint(checkpoint: Checkpoint, path: Path) -> None:
    """Writes a checkpoint for `read_checkpoint`; the file appears whole or not at all."""
    student = checkpoint.student
    stored = {
        "name": student.name,
        "shape": vars(student.shape),
        "totals": asdict(student.totals),
        "progress": asdict(checkpoint.progress),
        "origin": student.origin,
    }
    state = dict(student.network.state_dict())
    state |= {COURSE + name: part for name, part in checkpoint.tensors.items()}
    tensors = {name: part.detach().cpu().contiguous() for name, part in state.items()}
    with atomic_write(path) as unfinished:
        save_file(tensors, unfinished, metadata={"student": json.dumps(stored)})


def read_checkpoint(path: Path) -> Checkpoint:
    """Returns the written checkpoint, in main memory; raises SettingError for any other file.

    A student with one policy gets a second one for humans, at first a copy.
    """
    try:
        with safe_open(path, framework="pt") as file:
            stored = json.loads(file.metadata()["student"])
            state = {name: file.get_tensor(name) for name in file.keys()}  # noqa: SIM118
    except (OSError, SafetensorError, TypeError, KeyError) as error:
        raise SettingError(f"{path} is no checkpoint of a student: {error}") from error
    listed = {
        key: tuple(value) for key, value in stored["shape"].items() if isinstance(value, list)
    }
    known = {part.name for part in fields(Shape)}  # older checkpoints have more fields
    sizes = {**stored["shape"], **listed}
    shape = Shape(**{key: sizes[key] for key in known & sizes.keys()} | {"policies": POLICIES})
    if stored["shape"]["policies"] == 1:
        state = two_policies(state)
    tensors = {name: state.pop(name) for name in list(state) if name.startswith(COURSE)}
    student = new_student(stored["name"], shape, 0)
    student.network.load_state_dict(state)
    totals, origin = Totals(**stored["totals"]), stored.get("origin", "")
    return Checkpoint(
        student=replace(student, totals=totals, origin=origin),
        progress=StudentProgress(**stored.get("progress", {})),
        tensors={name.removeprefix(COURSE): part for name, part in tensors.items()},
    )
