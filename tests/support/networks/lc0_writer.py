"""Writes small networks with random weights in lc0's file format."""

from __future__ import annotations

import gzip
import struct
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

PLANES, SQUARES, MOVES, POLICY_PLANES = 112, 64, 1858, 80
LINEAR16, FLOAT16, BFLOAT16, FLOAT32 = 1, 2, 3, 4


@dataclass(frozen=True)
class Shape:
    """The kind of a network; the numbers are those of lc0's net.proto."""

    network: int = 4  # convolutions with squeeze and excitation
    policy: int = 2  # by convolution
    value: int = 2  # win, draw, loss
    input: int = 1
    activation: int = 0  # ReLU
    encoding: int = LINEAR16
    squeezes: bool = True
    normalizes: bool = True  # with batch normalization
    channels: int = 8
    blocks: int = 2


SHAPES = {
    "squeezed": Shape(),
    "mish": Shape(activation=1, encoding=FLOAT16),
    "plain": Shape(network=3, squeezes=False, value=1, encoding=FLOAT32),
    "old": Shape(network=1, squeezes=False, policy=0, value=0, encoding=BFLOAT16),
    "classical policy": Shape(policy=1, normalizes=False),
}


def varint(value: int) -> bytes:
    out = b""
    while value > 0x7F:
        out += bytes([value & 0x7F | 0x80])
        value >>= 7
    return out + bytes([value])


def integer(number: int, value: int) -> bytes:
    return varint(number << 3) + varint(value)


def data(number: int, value: bytes) -> bytes:
    return varint(number << 3 | 2) + varint(len(value)) + value


def four_bytes(number: int, value: bytes) -> bytes:
    return varint(number << 3 | 5) + value


class Lc0Writer:
    """One network as bytes."""

    def __init__(self, shape: Shape, seed: int = 0) -> None:
        self.shape = shape
        self.rng = np.random.default_rng(seed)

    def net(self) -> bytes:
        """The message Net, not yet compressed."""
        shape = self.shape
        kinds = ((1, shape.input), (2, 2), (3, shape.network), (4, shape.policy))
        network = b"".join(integer(number, value) for number, value in kinds)
        network += integer(5, shape.value) + integer(7, shape.activation)
        return b"".join(
            (
                four_bytes(1, struct.pack("<I", 0x1C0)),
                data(2, b"a licence"),
                data(4, integer(1, 1) + data(2, network)),
                data(10, self.weights()),
            )
        )

    def weights(self) -> bytes:
        shape, channels = self.shape, self.shape.channels
        parts = [data(1, self.convolution(PLANES, channels, 3))]
        for _ in range(shape.blocks):
            block = data(1, self.convolution(channels, channels, 3))
            block += data(2, self.convolution(channels, channels, 3))
            if shape.squeezes:
                block += data(3, self.linear(1, channels, 4) + self.linear(3, 4, 2 * channels))
            parts.append(data(2, block))
        if shape.policy == 2 and shape.network >= 3:
            parts.append(data(11, self.convolution(channels, channels, 3)))
            parts.append(data(3, self.convolution(channels, POLICY_PLANES, 3, normalizes=False)))
        else:
            parts.append(data(3, self.convolution(channels, 4, 1)))
            parts.append(self.linear(4, 4 * SQUARES, MOVES))
        parts.append(data(6, self.convolution(channels, 4, 1)))
        parts.append(self.linear(7, 4 * SQUARES, 16))
        parts.append(self.linear(9, 16, 3 if shape.value == 2 else 1))
        parts.append(data(12, self.convolution(channels, 2, 1)))  # moves left: ignored
        return b"".join(parts)

    def convolution(
        self, inputs: int, outputs: int, side: int, *, normalizes: bool | None = None
    ) -> bytes:
        parts = [(1, self.random(outputs * inputs * side * side, (inputs * side * side) ** -0.5))]
        if self.shape.normalizes if normalizes is None else normalizes:
            parts += [
                (3, self.random(outputs, 0.3)),
                (4, self.rng.uniform(0.5, 2, outputs)),
                (5, self.rng.uniform(0.5, 2, outputs)),
                (6, self.random(outputs, 0.3)),
            ]
        else:
            parts.append((2, self.random(outputs, 0.3)))
        return b"".join(data(number, self.layer(values)) for number, values in parts)

    def linear(self, number: int, inputs: int, outputs: int) -> bytes:
        weights = self.layer(self.random(inputs * outputs, inputs**-0.5))
        return data(number, weights) + data(number + 1, self.layer(self.random(outputs, 0.3)))

    def random(self, count: int, deviation: float) -> NDArray[np.float64]:
        return self.rng.normal(0, deviation, count)

    def layer(self, values: NDArray[Any]) -> bytes:
        values, encoding = values.astype(np.float32), self.shape.encoding
        if encoding == LINEAR16:
            least, greatest = values.min(), max(values.max(), values.min() + np.float32(1e-6))
            numbers = np.rint((values - least) / (greatest - least) * 65535).astype("<u2")
            ends = four_bytes(1, least.tobytes()) + four_bytes(2, greatest.tobytes())
            return ends + data(3, numbers.tobytes())
        packed = {
            FLOAT16: values.astype("<f2"),
            BFLOAT16: (values.view(np.uint32) >> 16).astype("<u2"),
            FLOAT32: values.astype("<f4"),
        }[encoding]
        return data(3, packed.tobytes()) + integer(4, encoding)


def write(path: Path, shape: Shape, seed: int = 0) -> Path:
    """Writes a network of the shape; returns the path."""
    path.write_bytes(gzip.compress(Lc0Writer(shape, seed).net(), 1))
    return path
