"""What self-play teaches: a row of numbers a position, kept in a file or drawn as a batch.

Knows the arrays and their meaning; does not know who played the games nor what is learned.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple, Self

import numpy as np
import torch
from safetensors import SafetensorError, safe_open
from safetensors.torch import save_file
from torch import Tensor

from engine.util.atomic_file import atomic_write

FORMAT = "sparring-games-1"


class SampleRows(NamedTuple):
    """Positions and what is to be learned of each, all of its side to move."""

    planes: Tensor  # uint8 [n, planes, height, width]
    globals: Tensor  # float32 [n, globals]; the first is 1 where color 0 is to move
    legal: Tensor  # uint8 [n, moves]
    policy: Tensor  # float16 [n, moves], the probabilities to learn
    policy_weight: Tensor  # float32 [n]; 0: nothing to learn of the policy
    reply: Tensor  # float16 [n, moves], the next position's policy
    reply_weight: Tensor  # float32 [n]
    result: Tensor  # float32 [n]; 1 won, 0.5 drawn, 0 lost
    score: Tensor  # float32 [n], points
    ownership: Tensor  # int8 [n, height * width]; +1 its own in the end, 0 nobody's
    exact: Tensor  # uint8 [n]; 1: result and score are proven
    game: Tensor  # int32 [n]
    ply: Tensor  # int16 [n]

    @property
    def size(self) -> int:
        """Positions."""
        return len(self.game)

    def part(self, index: slice | Tensor) -> Self:
        """Some of the positions."""
        return type(self)(*(array[index] for array in self))


def rows_of(played: Any) -> SampleRows:  # noqa: ANN401 - the core's SelfPlayRows, or its likeness
    """The rows of the core's arrays, policies in half precision."""
    found: dict[str, Tensor] = {}
    for name in SampleRows._fields:
        array = torch.from_numpy(np.ascontiguousarray(getattr(played, name)))
        found[name] = array.half() if name in ("policy", "reply") else array
    return SampleRows(**{**found, "ownership": found["ownership"].flatten(1)})


def joined(parts: Sequence[SampleRows]) -> SampleRows:
    """All rows of the parts, which are one at least, in their order."""
    return SampleRows(*(torch.cat(arrays) for arrays in zip(*parts, strict=True)))


def write_rows(path: Path, rows: SampleRows, told: Mapping[str, float]) -> None:
    """Writes rows and some numbers about them; the file is there whole or not at all."""
    tensors = {name: part.contiguous() for name, part in rows._asdict().items()}
    with atomic_write(path) as unfinished:
        save_file(tensors, unfinished, metadata={"format": FORMAT, "told": json.dumps(dict(told))})


def read_rows(path: Path) -> tuple[SampleRows, dict[str, float]]:
    """What `write_rows` wrote; ValueError names a file that is none."""
    try:
        with safe_open(path, framework="pt") as file:
            header = file.metadata() or {}
            if header.get("format") != FORMAT:
                raise ValueError(f"{path}: no rows of games")
            rows = SampleRows(*(file.get_tensor(name) for name in SampleRows._fields))
    except SafetensorError as error:
        raise ValueError(f"{path}: no rows of games: {error}") from error
    told: dict[str, float] = json.loads(header["told"])
    return rows, told
