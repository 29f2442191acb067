"""The rows of self-play: positions with targets, stored in a file or drawn as a batch.

SampleRows has the arrays and their meaning. The games and the losses are in
engine.training.alphazero.
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
    """Positions with their targets, all from the side to move's view."""

    planes: Tensor  # uint8 [n, planes, height, width]
    globals: Tensor  # float32 [n, globals]
    legal: Tensor  # uint8 [n, moves]
    policy: Tensor  # float16 [n, moves], the target probabilities
    policy_weight: Tensor  # float32 [n]; 0: no policy target
    reply: Tensor  # float16 [n, moves], the next position's policy
    reply_weight: Tensor  # float32 [n]
    result: Tensor  # float32 [n]; 1 won, 0.5 drawn, 0 lost
    score: Tensor  # float32 [n], points
    ownership: Tensor  # int8 [n, height * width]; +1 the side to move's at the end, 0 nobody's
    exact: Tensor  # uint8 [n]; 1: result and score are proven
    game: Tensor  # int32 [n]
    ply: Tensor  # int16 [n]

    @property
    def size(self) -> int:
        """The number of positions."""
        return len(self.game)

    def part(self, index: slice | Tensor) -> Self:
        """Returns the positions of an index [k], a mask [n] or a slice."""
        return type(self)(*(array[index] for array in self))


def rows_of(played: Any) -> SampleRows:  # noqa: ANN401 - the core's SelfPlayRows, or its likeness
    """Returns the rows of the core's arrays, policies in half precision."""
    found: dict[str, Tensor] = {}
    for name in SampleRows._fields:
        array = torch.from_numpy(np.ascontiguousarray(getattr(played, name)))
        found[name] = array.half() if name in ("policy", "reply") else array
    return SampleRows(**{**found, "ownership": found["ownership"].flatten(1)})


def joined(parts: Sequence[SampleRows]) -> SampleRows:
    """Returns all rows of one or more parts, in order."""
    return SampleRows(*(torch.cat(arrays) for arrays in zip(*parts, strict=True)))


def write_rows(path: Path, rows: SampleRows, statistics: Mapping[str, float]) -> None:
    """Writes rows and some statistics about them; the file appears whole or not at all."""
    tensors = {name: part.contiguous() for name, part in rows._asdict().items()}
    with atomic_write(path) as unfinished:
        save_file(
            tensors, unfinished, metadata={"format": FORMAT, "told": json.dumps(dict(statistics))}
        )


def read_rows(path: Path) -> tuple[SampleRows, dict[str, float]]:
    """Returns the rows and statistics of a file by `write_rows`; ValueError for any other file."""
    try:
        with safe_open(path, framework="pt") as file:
            header = file.metadata() or {}
            if header.get("format") != FORMAT:
                raise ValueError(f"{path}: no rows of games")
            rows = SampleRows(*(file.get_tensor(name) for name in SampleRows._fields))
    except SafetensorError as error:
        raise ValueError(f"{path}: no rows of games: {error}") from error
    statistics: dict[str, float] = json.loads(header["told"])
    return rows, statistics
