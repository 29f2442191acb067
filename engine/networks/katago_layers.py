"""Reads the common layers of the blocks and heads of a KataGo file.

The layers' contents follow KataGo's cpp/neuralnet/desc.cpp; architecture.py defines their
computation.
"""

from __future__ import annotations

import numpy as np

from engine.networks.architecture import Convolution, Linear, Normalization
from engine.networks.weight_stream import WeightStream

MAX_CHANNELS = 8192
MAX_KERNEL = 19
LARGEST_FIELD = 1 << 31
ACTIVATIONS = {
    "ACTIVATION_IDENTITY": "identity",
    "ACTIVATION_RELU": "relu",
    "ACTIVATION_MISH": "mish",
    "ACTIVATION_SILU": "silu",
    "ACTIVATION_MISH_SCALE8": "mish_scale8",
}


class LayerReader:
    """Reads layers in the order of the file. `version` is KataGo's model version."""

    def __init__(self, stream: WeightStream, version: int) -> None:
        self.stream = stream
        self.version = version

    def name(self, kind: str) -> str:
        """Reads the name of a layer; later errors name this layer."""
        name = self.stream.word(f"the name of a {kind}")
        self.stream.layer = f"{kind} {name}"
        return name

    def channels(self, what: str) -> int:
        """Reads a number of `what`."""
        return self.stream.integer(f"number of {what}", 1, MAX_CHANNELS)

    def zeros(self, count: int, what: str = "a reserved field") -> None:
        """Reads `count` fields without a meaning so far: 0 in all known files."""
        for _ in range(count):
            field = self.stream.integer(what, -LARGEST_FIELD, LARGEST_FIELD)
            if field:
                raise self.stream.fail(f"{what} is {field}, expected 0: it needs a newer program")

    def convolution(self) -> Convolution:
        """Reads a convolution."""
        stream, name = self.stream, self.name("convolution")
        size = [stream.integer("kernel size", 1, MAX_KERNEL) for _ in range(2)]
        inputs, outputs = self.channels("inputs"), self.channels("outputs")
        dilation = [stream.integer("dilation", 1, MAX_KERNEL) for _ in range(2)]
        if not size[0] % 2 == size[1] % 2 == 1:
            raise stream.fail(f"kernel is {size[0]}x{size[1]}, expected odd sizes")
        weights = stream.floats(size[0], size[1], inputs, outputs)
        return Convolution(
            name=name,
            weights=np.ascontiguousarray(weights.transpose(3, 2, 0, 1)),
            dilation=(dilation[0], dilation[1]),
        )

    def linear(self, *, inputs: int = 0, outputs: int = 0, biased: bool = False) -> Linear:
        """Reads a matrix, and the bias behind it if `biased`.

        inputs, outputs: the expected numbers; 0 accepts any number.
        """
        name = self.name("matrix")
        shape = [
            self._expected("inputs", inputs) if inputs else self.channels("inputs"),
            self._expected("outputs", outputs) if outputs else self.channels("outputs"),
        ]
        weights = self.stream.floats(*shape)
        if not biased:
            return Linear(name, weights)
        self.name("bias")
        return Linear(name, weights, self.stream.floats(self.channels("biases")))

    def _expected(self, what: str, number: int) -> int:
        return self.stream.integer(f"number of {what}", number, number)

    def normalization(self) -> Normalization:
        """Reads a batch normalization with its activation."""
        stream, name = self.stream, self.name("normalization")
        channels = self.channels("channels")
        epsilon = stream.positive("epsilon")
        has_scale = stream.integer("presence of a scale", 0, 1)
        has_bias = stream.integer("presence of a bias", 0, 1)
        mean, variance = stream.floats(channels), stream.floats(channels)
        scale = stream.floats(channels) if has_scale else np.ones_like(mean)
        bias = stream.floats(channels) if has_bias else np.zeros_like(mean)
        if (variance < 0).any():
            raise stream.fail("holds a variance below 0")
        with np.errstate(all="ignore"):
            merged = scale / np.sqrt(variance + np.float32(epsilon))
            shift = bias - merged * mean
        if not np.isfinite([merged, shift]).all():
            raise stream.fail("its scale or shift is not a finite number")
        return Normalization(name, merged, shift, self.activation())

    def activation(self) -> str:
        """Reads an activation: a value of ACTIVATIONS."""
        self.name("activation")
        if self.version < 11:
            return "relu"
        word = self.stream.word("a kind of activation")
        if word not in ACTIVATIONS:
            raise self.stream.fail(f"unknown activation {word[:40]!r}")
        return ACTIVATIONS[word]
