"""Copies of KataGo's network files without subnormal weights, for programs that keep these.

The reader finds the blocks of weights; everything else stays as it is.
"""

from __future__ import annotations

import gzip
from pathlib import Path

import numpy as np

from engine.networks.architecture import FloatArray
from engine.networks.katago import read_stream
from engine.networks.pruning import SMALLEST_WEIGHT
from engine.networks.weight_stream import BINARY_MARK, GZIP_MARK, WeightStream

PACKING = 1  # gzip's level


class BlockStream(WeightStream):
    """A stream that records the place and the number of floats of each binary block."""

    def __init__(self, path: Path) -> None:
        super().__init__(path)
        self.blocks: list[tuple[int, int]] = []

    def _binary_floats(self, count: int) -> FloatArray:
        start = self._unpacked - len(self._pending) + len(BINARY_MARK)
        self.blocks.append((start, count))
        return super()._binary_floats(count)


def flushed_copy(path: Path, copy: Path) -> int:
    """Writes a copy with weights under SMALLEST_WEIGHT at 0; returns their number.

    Without such weights no file is written. Weights in words stay as they are. Raises
    NetworkFileError if `path` is no KataGo network.
    """
    with BlockStream(path) as stream:
        read_stream(stream)
    packed = path.read_bytes()
    content = bytearray(gzip.decompress(packed) if packed.startswith(GZIP_MARK) else packed)
    dead = sum(_flush(content, start, count) for start, count in stream.blocks)
    if dead:
        with gzip.open(copy, "wb", PACKING) as file:
            file.write(content)
    return dead


def _flush(content: bytearray, start: int, count: int) -> int:
    """Sets the small floats of one block to 0 and returns their number."""
    weights = np.frombuffer(content, "<f4", count, start)
    dead = (np.abs(weights) < SMALLEST_WEIGHT) & (weights != 0)
    weights[dead] = 0
    return int(dead.sum())
