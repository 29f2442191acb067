"""Reads KataGo's network files (.bin.gz, .txt.gz, .bin, .txt), model versions 8 to 16.

The content decides the kind of file, not the name. The layers' contents follow KataGo's
cpp/neuralnet/desc.cpp; architecture.py defines their computation.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np

from engine.games.evaluator import Multipliers
from engine.networks.architecture import (
    Architecture,
    Block,
    Bottleneck,
    Convolution,
    Linear,
    MetadataEncoder,
    NetworkFileError,
    Normalization,
    PolicyHead,
    PooledResidual,
    Residual,
    ValueHead,
)
from engine.networks.checks import check
from engine.networks.weight_stream import WeightStream

OLDEST_VERSION = 8
NEWEST_VERSION = 16
PLANES = 22
GLOBALS = 19
METADATA = 192
MAX_CHANNELS = 8192
MAX_BLOCKS = 1024
MAX_KERNEL = 19
MAX_DEPTH = 4
ACTIVATIONS = {
    "ACTIVATION_IDENTITY": "identity",
    "ACTIVATION_RELU": "relu",
    "ACTIVATION_MISH": "mish",
    "ACTIVATION_SILU": "silu",
    "ACTIVATION_MISH_SCALE8": "mish_scale8",
}


def read_katago(path: Path) -> Architecture:
    """Reads the network of a KataGo file.

    Raises NetworkFileError, with the reason, if there is none.
    """
    with WeightStream(path) as stream:
        return _Reader(stream).network()


class _Reader:
    """Reads layers in the order of the file."""

    def __init__(self, stream: WeightStream) -> None:
        self._stream = stream
        self._version = 0

    def network(self) -> Architecture:
        stream = self._stream
        name = stream.word("the network's name")
        self._version = self._read_version()
        stream.integer("number of input planes", PLANES, PLANES)
        stream.integer("number of global inputs", GLOBALS, GLOBALS)
        multipliers = self._multipliers() if self._version >= 13 else Multipliers()
        has_metadata, pass_alive = self._options() if self._version >= 15 else (False, False)
        blocks = self._trunk_sizes()
        architecture = Architecture(
            name=name,
            version=self._version,
            multipliers=multipliers,
            pass_alive_under_suicide=pass_alive,
            planes=self._convolution(),
            globals=self._linear(),
            metadata=self._metadata() if has_metadata else None,
            blocks=self._blocks(blocks, depth=0),
            tip=self._normalization(),
            policy=self._policy(),
            value=self._value(),
            uses_doublings=True,
        )
        stream.layer = "the end"
        stream.end()
        try:
            check(architecture)
            _check_heads(architecture)
        except NetworkFileError as error:
            raise NetworkFileError(f"{stream.path}: {error}") from None
        return architecture

    def _read_version(self) -> int:
        stream = self._stream
        try:
            version = stream.integer("the model version", 0, 1000)
        except NetworkFileError as error:
            raise NetworkFileError(f"{error} (is this a KataGo network at all?)") from None
        if version < OLDEST_VERSION:
            raise stream.fail(f"model version {version} is too old, {OLDEST_VERSION} is the oldest")
        if version > NEWEST_VERSION:
            raise stream.fail(
                f"model version {version} (transformer blocks) is not supported, "
                f"{NEWEST_VERSION} is the newest supported one"
            )
        return version

    def _multipliers(self) -> Multipliers:
        self._stream.positive("multiplier of the temporal-difference score")  # training only
        return Multipliers(
            score_mean=self._stream.positive("multiplier of the score mean"),
            score_deviation=self._stream.positive("multiplier of the score deviation"),
            lead=self._stream.positive("multiplier of the lead"),
            variance_time=self._stream.positive("multiplier of the variance time"),
            win_loss_error=self._stream.positive("multiplier of the short-term value error"),
            score_error=self._stream.positive("multiplier of the short-term score error"),
        )

    def _options(self) -> tuple[bool, bool]:
        metadata = self._stream.integer("version of the metadata encoder", 0, 1)
        pass_alive = self._stream.integer("choice of pass-alive areas", 0, 1)
        for _ in range(6):
            self._stream.integer("option unknown to this program", 0, 0)
        return metadata == 1, pass_alive == 1

    def _trunk_sizes(self) -> int:
        """Returns the number of blocks; every layer repeats the channel counts beside it."""
        stream = self._stream
        stream.layer = f"trunk {stream.word('the trunk')}"
        blocks = stream.integer("number of blocks", 1, MAX_BLOCKS)
        for what in ("trunk", "middle", "regular", "dilated", "pooling"):
            stream.integer(f"number of {what} channels", -MAX_CHANNELS, MAX_CHANNELS)
        if self._version >= 15:
            if stream.integer("kind of normalization", 0, 1) == 1:
                raise stream.fail("RMS normalization (of transformer trunks) is not supported")
            for _ in range(5):
                stream.integer("option unknown to this program", 0, 0)
        return blocks

    def _blocks(self, count: int, depth: int) -> tuple[Block, ...]:
        return tuple(self._block(depth) for _ in range(count))

    def _block(self, depth: int) -> Block:
        stream = self._stream
        kind = stream.word("a kind of block")
        if kind == "ordinary_block":
            return self._residual()
        if kind == "gpool_block":
            return self._pooled_residual()
        if kind == "nested_bottleneck_block":
            if depth >= MAX_DEPTH:
                raise stream.fail(f"blocks are nested more than {MAX_DEPTH} deep")
            return self._bottleneck(depth)
        if kind.startswith("transformer"):
            raise stream.fail(f"transformer blocks are not supported, found {kind!r}")
        raise stream.fail(f"expected a kind of block, found {kind[:40]!r}")

    def _residual(self) -> Residual:
        return Residual(
            name=self._name("block"),
            before=self._normalization(),
            first=self._convolution(),
            middle=self._normalization(),
            last=self._convolution(),
        )

    def _pooled_residual(self) -> PooledResidual:
        return PooledResidual(
            name=self._name("block"),
            before=self._normalization(),
            first=self._convolution(),
            pool=self._convolution(),
            pool_norm=self._normalization(),
            pool_bias=self._linear(),
            middle=self._normalization(),
            last=self._convolution(),
        )

    def _bottleneck(self, depth: int) -> Bottleneck:
        name = self._name("block")
        count = self._stream.integer("number of inner blocks", 1, MAX_BLOCKS)
        return Bottleneck(
            name=name,
            before=self._normalization(),
            reduce=self._convolution(),
            blocks=self._blocks(count, depth + 1),
            after=self._normalization(),
            expand=self._convolution(),
        )

    def _metadata(self) -> MetadataEncoder:
        name = self._name("metadata encoder")
        self._stream.integer("number of metadata inputs", METADATA, METADATA)
        return MetadataEncoder(
            name=name,
            first=self._linear(biased=True),
            first_activation=self._activation(),
            second=self._linear(biased=True),
            second_activation=self._activation(),
            last=self._linear(),
        )

    def _policy(self) -> PolicyHead:
        name = self._name("policy head")
        first, pool, pool_norm = self._convolution(), self._convolution(), self._normalization()
        pool_bias, middle, moves = self._linear(), self._normalization(), self._convolution()
        hidden, activation = None, "identity"
        if self._version >= 15:
            hidden, activation = self._linear(biased=True), self._activation()
        return PolicyHead(
            name=name,
            first=first,
            pool=pool,
            pool_norm=pool_norm,
            pool_bias=pool_bias,
            middle=middle,
            moves=moves,
            pass_hidden=hidden,
            pass_activation=activation,
            pass_output=self._linear(),
        )

    def _value(self) -> ValueHead:
        return ValueHead(
            name=self._name("value head"),
            first=self._convolution(),
            norm=self._normalization(),
            hidden=self._linear(biased=True),
            hidden_activation=self._activation(),
            value=self._linear(biased=True),
            misc=self._linear(biased=True),
            ownership=self._convolution(),
        )

    def _name(self, kind: str) -> str:
        name = self._stream.word(f"the name of a {kind}")
        self._stream.layer = f"{kind} {name}"
        return name

    def _convolution(self) -> Convolution:
        name = self._name("convolution")
        size = [self._stream.integer("kernel size", 1, MAX_KERNEL) for _ in range(2)]
        inputs, outputs = self._channels("inputs"), self._channels("outputs")
        dilation = [self._stream.integer("dilation", 1, MAX_KERNEL) for _ in range(2)]
        if not size[0] % 2 == size[1] % 2 == 1:
            raise self._stream.fail(f"kernel is {size[0]}x{size[1]}, expected odd sizes")
        weights = self._stream.floats(size[0], size[1], inputs, outputs)
        return Convolution(
            name=name,
            weights=np.ascontiguousarray(weights.transpose(3, 2, 0, 1)),
            dilation=(dilation[0], dilation[1]),
        )

    def _linear(self, *, biased: bool = False) -> Linear:
        name = self._name("matrix")
        inputs, outputs = self._channels("inputs"), self._channels("outputs")
        weights = self._stream.floats(inputs, outputs)
        if not biased:
            return Linear(name, weights)
        self._name("bias")
        return Linear(name, weights, self._stream.floats(self._channels("biases")))

    def _normalization(self) -> Normalization:
        name = self._name("normalization")
        channels = self._channels("channels")
        epsilon = self._stream.positive("epsilon")
        has_scale = self._stream.integer("presence of a scale", 0, 1)
        has_bias = self._stream.integer("presence of a bias", 0, 1)
        mean, variance = self._stream.floats(channels), self._stream.floats(channels)
        scale = self._stream.floats(channels) if has_scale else np.ones_like(mean)
        bias = self._stream.floats(channels) if has_bias else np.zeros_like(mean)
        if (variance < 0).any():
            raise self._stream.fail("holds a variance below 0")
        merged = scale / np.sqrt(variance + np.float32(epsilon))
        shift = bias - merged * mean
        return Normalization(name, merged, shift, self._activation())

    def _activation(self) -> str:
        self._name("activation")
        if self._version < 11:
            return "relu"
        word = self._stream.word("a kind of activation")
        if word not in ACTIVATIONS:
            raise self._stream.fail(f"unknown activation {word[:40]!r}")
        return ACTIVATIONS[word]

    def _channels(self, what: str) -> int:
        return self._stream.integer(f"number of {what}", 1, MAX_CHANNELS)


def _check_heads(architecture: Architecture) -> None:
    """Checks the number of policies by KataGo's model version."""
    version = architecture.version
    policies = 4 if version >= 16 else 2 if version >= 12 else 1
    if architecture.policy.channels != policies:
        raise NetworkFileError(
            f"convolution {architecture.policy.moves.name}: {architecture.policy.channels} "
            f"outputs, expected {policies} in model version {version}"
        )
