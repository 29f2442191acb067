"""Reads the layers of lc0's network files as those of architecture.py.

lc0's weights are [out, in, rank, file] in convolutions and [out, in] in matrices. Numbers of
sixteen bits are linear between a layer's least and greatest value.
"""

from __future__ import annotations

from math import isqrt

import numpy as np

from engine.networks.architecture import Convolution, FloatArray, Linear, Normalization
from engine.networks.protobuf import Message

ACTIVATIONS = {0: "relu", 1: "mish"}  # by lc0's number
EPSILON = 1e-5  # of lc0's batch normalization
KERNELS = (1, 3)  # sides

# Field numbers of net.proto.
LEAST, GREATEST, PARAMETERS, ENCODING = 1, 2, 3, 4
WEIGHTS, BIASES, MEANS, VARIANCES, GAMMAS, BETAS = 1, 2, 3, 4, 5, 6


def activation_of(number: int) -> str:
    """Returns the activation of lc0's number. Raises ValueError for another one than ReLU, Mish."""
    if number not in ACTIVATIONS:
        raise ValueError(f"the activation is {number}, expected 0 or 1: ReLU or Mish")
    return ACTIVATIONS[number]


def values_of(layer: Message, name: str) -> FloatArray:
    """Returns the numbers of a layer, [count] float32; none without the layer."""
    data, encoding = layer.data(PARAMETERS), layer.integer(ENCODING)
    if encoding not in _DECODED:
        raise ValueError(f"layer {name}: the encoding is {encoding}, expected at most 4")
    size = 4 if encoding == FLOAT32 else 2
    if len(data) % size:
        raise ValueError(f"layer {name}: {len(data)} bytes, expected a multiple of {size}")
    values = _DECODED[encoding](layer, data)
    if not np.isfinite(values).all():
        raise ValueError(f"layer {name}: holds a weight that is not a finite number")
    return np.ascontiguousarray(values, np.float32)


def _linear16(layer: Message, data: memoryview) -> FloatArray:
    least, greatest = layer.single(LEAST), layer.single(GREATEST)
    share = np.frombuffer(data, "<u2").astype(np.float64) / 0xFFFF
    return (least * (1 - share) + greatest * share).astype(np.float32)


def _float16(_layer: Message, data: memoryview) -> FloatArray:
    return np.frombuffer(data, "<f2").astype(np.float32)


def _bfloat16(_layer: Message, data: memoryview) -> FloatArray:
    return (np.frombuffer(data, "<u2").astype(np.uint32) << 16).view(np.float32)


def _float32(_layer: Message, data: memoryview) -> FloatArray:
    return np.frombuffer(data, "<f4").astype(np.float32)


FLOAT32 = 4
_DECODED = {0: _linear16, 1: _linear16, 2: _float16, 3: _bfloat16, FLOAT32: _float32}


def convolution(
    block: Message, name: str, inputs: int, activation: str
) -> tuple[Convolution, Normalization]:
    """Returns a convolution, and the normalization behind it with its bias and the activation."""
    parts = {
        number: values_of(block.message(number), name)
        for number in (WEIGHTS, BIASES, MEANS, VARIANCES, GAMMAS, BETAS)
    }
    outputs = max(len(parts[BIASES]), len(parts[MEANS]))
    side = isqrt(len(parts[WEIGHTS]) // max(1, outputs * inputs))
    if side not in KERNELS or len(parts[WEIGHTS]) != outputs * inputs * side * side:
        raise ValueError(
            f"layer {name}: {len(parts[WEIGHTS])} weights for {inputs} inputs and {outputs} outputs"
        )

    def row(number: int, default: float) -> FloatArray:
        values = parts[number]
        if values.size not in (0, outputs):
            raise ValueError(f"layer {name}: {values.size} numbers, expected {outputs}")
        return values if values.size else np.full(outputs, default, np.float32)

    bias, scale, shift = row(BIASES, 0), row(GAMMAS, 1), row(BETAS, 0)
    if parts[VARIANCES].size:
        variances = row(VARIANCES, 1)
        if (variances < 0).any():
            raise ValueError(f"layer {name}: holds a variance below 0")
        scale = scale / np.sqrt(variances + np.float32(EPSILON))
        bias = bias - row(MEANS, 0)
    weights = parts[WEIGHTS].reshape(outputs, inputs, side, side)
    norm = Normalization(name, scale, shift + scale * bias, activation)
    return Convolution(name, weights), norm


def linear(message: Message, name: str, numbers: tuple[int, int], inputs: int) -> Linear:
    """Returns a matrix with a bias; numbers: the fields of its weights and of its bias."""
    weights, bias = (values_of(message.message(number), name) for number in numbers)
    if not bias.size or weights.size != bias.size * inputs:
        raise ValueError(
            f"layer {name}: {weights.size} weights for {inputs} inputs and {bias.size} outputs"
        )
    return Linear(name, np.ascontiguousarray(weights.reshape(bias.size, inputs).T), bias)


def plain(name: str, channels: int, activation: str) -> Normalization:
    """Returns an activation alone."""
    ones, zeros = np.ones(channels, np.float32), np.zeros(channels, np.float32)
    return Normalization(name, ones, zeros, activation)
