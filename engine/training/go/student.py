"""A student between two runs: its weights and statistics, its shape, and what it has done so far.

A student has two policies over one trunk: what its teacher would play and what a human would; each
can be exported as a network of its own. Knows what a new student looks like and the file it is kept
in. The layers themselves are those of engine/networks/torch_model.py.
"""

from __future__ import annotations

import json
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

# KataGo's model version whose outputs a student has: no short-term errors to be learned.
VERSION = 8
SCORES = 4  # score mean, deviation before softplus, lead, variance time before softplus
HEAD_CHANNELS = 32
TAUGHT, HUMAN = 0, 1  # the policies: the teacher's and a human's
POLICIES = 2
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


def student_shape(blocks: int, channels: int) -> Shape:
    """The same with a student's policies."""
    return replace(shape_of(blocks, channels), policies=POLICIES)


@dataclass(frozen=True)
class Totals:
    """What all runs of a student's learning come to."""

    seconds: float = 0.0
    positions: int = 0  # learned from, each time
    batches: int = 0
    human_positions: int = 0  # of human games, among them

    def plus(self, other: Totals) -> Totals:
        """The totals after one more run, whose own they are."""
        return Totals(
            self.seconds + other.seconds,
            self.positions + other.positions,
            self.batches + other.batches,
            self.human_positions + other.human_positions,
        )


@dataclass
class StudentProgress:
    """How far a course has come."""

    steps: int = 0
    seconds: float = 0.0
    positions: int = 0
    human_positions: int = 0
    drawn: list[int] = field(default_factory=list)  # batches from each source

    def totals(self) -> Totals:
        """What it comes to."""
        return Totals(self.seconds, self.positions, self.steps, self.human_positions)


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
        fix_norms(self.network)


def new_student(name: str, shape: Shape, seed: int) -> Student:
    """A student that knows nothing; the same seed gives the same weights."""
    architecture = fresh_architecture(name, shape, np.random.default_rng(seed))
    return Student(TorchNetwork(architecture), shape)


@dataclass(frozen=True, eq=False)
class Checkpoint:
    """A student on its way, with what its course needs to go on as if nothing had been."""

    student: Student  # its totals are those of earlier courses
    progress: StudentProgress = field(default_factory=StudentProgress)
    tensors: dict[str, Tensor] = field(default_factory=dict)  # of the course

    def finished(self) -> Student:
        """The student with its course's totals added to those of earlier ones."""
        return self.student.after(self.student.totals.plus(self.progress.totals()))


COURSE = "course."  # before the names of a course's tensors


def write_checkpoint(checkpoint: Checkpoint, path: Path) -> None:
    """Writes everything `read_checkpoint` needs; the file is there whole or not at all."""
    student = checkpoint.student
    told = {
        "name": student.name,
        "shape": vars(student.shape),
        "totals": asdict(student.totals),
        "progress": asdict(checkpoint.progress),
    }
    state = dict(student.network.state_dict())
    state |= {COURSE + name: part for name, part in checkpoint.tensors.items()}
    tensors = {name: part.detach().cpu().contiguous() for name, part in state.items()}
    with atomic_write(path) as unfinished:
        save_file(tensors, unfinished, metadata={"student": json.dumps(told)})


def read_checkpoint(path: Path) -> Checkpoint:
    """What was written, in main memory; SettingError where it is no checkpoint.

    A student with one policy gets a human's, which is at first its own.
    """
    try:
        with safe_open(path, framework="pt") as file:
            told = json.loads(file.metadata()["student"])
            state = {name: file.get_tensor(name) for name in file.keys()}  # noqa: SIM118
    except (OSError, SafetensorError, TypeError, KeyError) as error:
        raise SettingError(f"{path} is no checkpoint of a student: {error}") from error
    listed = {key: tuple(value) for key, value in told["shape"].items() if isinstance(value, list)}
    known = {part.name for part in fields(Shape)}  # older checkpoints told more
    sizes = {**told["shape"], **listed}
    shape = Shape(**{key: sizes[key] for key in known & sizes.keys()} | {"policies": POLICIES})
    if told["shape"]["policies"] == 1:
        moves, passing = state["policy.moves.weight"], state["policy.pass_output.weight"]
        state["policy.moves.weight"] = torch.cat((moves, moves))
        state["policy.pass_output.weight"] = torch.cat((passing, passing), dim=1)
    tensors = {name: state.pop(name) for name in list(state) if name.startswith(COURSE)}
    student = new_student(told["name"], shape, 0)
    student.network.load_state_dict(state)
    return Checkpoint(
        student=student.after(Totals(**told["totals"])),
        progress=StudentProgress(**told.get("progress", {})),
        tensors={name.removeprefix(COURSE): part for name, part in tensors.items()},
    )
