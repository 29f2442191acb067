"""A student of more blocks and channels that computes what a smaller one does.

The new blocks add nothing at first, and no old channel reads a new one: learning begins at the
strength of the smaller student (Chen et al., Net2Net, 2016, with zeros in place of copies).
"""

from __future__ import annotations

from dataclasses import replace

import torch
from torch import Tensor

from engine.training.go.student import Student, new_student, student_shape


def grown(student: Student, blocks: int, channels: int, seed: int) -> Student:
    """Returns a student with at least these blocks and channels, and the function of `student`.

    A student of that size or larger is returned as it is. The heads keep their size. The seed
    gives the new weights.
    """
    old = student.shape
    blocks, channels = max(blocks, len(old.blocks)), max(channels, old.channels)
    if (blocks, channels) == (len(old.blocks), old.channels):
        return student
    kinds = student_shape(blocks, channels).blocks
    shape = replace(old, blocks=kinds, channels=channels, middle=channels)
    larger = new_student(f"sparring-go-b{blocks}c{channels}", shape, seed)
    known = student.network.state_dict()
    state = {
        name: _enlarged(known[name], part) if name in known else _begun(name, part)
        for name, part in larger.network.state_dict().items()
    }
    larger.network.load_state_dict(state)
    origin = student.origin or student.name
    return replace(larger, totals=student.totals, origin=origin)


def _enlarged(known: Tensor, fresh: Tensor) -> Tensor:
    """Returns `fresh` with `known` as its first corner; old outputs do not read new inputs."""
    parts = fresh.clone()
    if fresh.dim() > 1:
        outputs, inputs = (1, 0) if fresh.dim() == 2 else (0, 1)  # a Matrix is [in, out]
        old = parts.narrow(outputs, 0, known.shape[outputs])
        old.narrow(inputs, known.shape[inputs], fresh.shape[inputs] - known.shape[inputs]).zero_()
    parts[tuple(slice(size) for size in known.shape)] = known
    return parts


def _begun(name: str, fresh: Tensor) -> Tensor:
    """Returns the weights of a new block: its last convolution adds nothing."""
    return torch.zeros_like(fresh) if name.endswith(".last.weight") else fresh
