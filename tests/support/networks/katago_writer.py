"""Writes architectures in KataGo's file format, for tests of the reader."""

from __future__ import annotations

import gzip

import numpy as np

from engine.networks import architecture as net

EPSILON = 1e-3
NAMES = {
    "identity": "ACTIVATION_IDENTITY",
    "relu": "ACTIVATION_RELU",
    "mish": "ACTIVATION_MISH",
    "silu": "ACTIVATION_SILU",
    "mish_scale8": "ACTIVATION_MISH_SCALE8",
}


def katago_file(network: net.Architecture, *, text: bool = False, zipped: bool = True) -> bytes:
    """The bytes of a KataGo file that holds the network."""
    writer = Writer(network.version, text)
    writer.network(network)
    content = b"".join(writer.parts)
    return gzip.compress(content, 1) if zipped else content


def theta_of(rotations: net.FloatArray | None) -> float | None:
    """The base of fixed rotations; None for learned ones."""
    if rotations is None:
        return None
    half = rotations.shape[1] // 2
    by_row, by_column = rotations[0, :half, 1], rotations[0, half:, 0]
    if len(by_row) < 2 or not np.array_equal(by_row, by_column) or by_row[0] != 1:
        return None
    return float(by_row[1]) ** -half


class Writer:
    def __init__(self, version: int, text: bool) -> None:
        self.version, self.text = version, text
        self.parts: list[bytes] = []
        self.rng = np.random.default_rng(5)

    def words(self, *words: object) -> None:
        self.parts.append(" ".join(map(str, words)).encode() + b"\n")

    def floats(self, values: np.ndarray) -> None:
        values = np.ascontiguousarray(values, "<f4")
        if self.text:
            self.words(*(repr(float(value)) for value in values.ravel()))
        else:
            self.parts.append(b"@BIN@" + values.tobytes() + b"\n")

    def network(self, network: net.Architecture) -> None:
        self.words(network.name, network.version, network.planes.inputs, network.globals.inputs)
        if self.version >= 13:
            m = network.multipliers
            self.words(20, m.score_mean, m.score_deviation, m.lead, m.variance_time)
            self.words(m.win_loss_error, m.score_error)
        if self.version >= 15:
            pass_alive = int(network.pass_alive_under_suicide)
            self.words(int(network.metadata is not None), pass_alive, *[0] * 6)
        channels = network.channels
        self.words("trunk", len(network.blocks), channels, channels, channels, channels, channels)
        if self.version >= 15:
            self.words(int(isinstance(network.tip, net.RmsTip)), *[0] * 5)
        self.convolution(network.planes)
        self.linear(network.globals)
        if network.metadata:
            encoder = network.metadata
            self.words(encoder.name, encoder.first.inputs)
            self.linear(encoder.first)
            self.activation(encoder.first_activation)
            self.linear(encoder.second)
            self.activation(encoder.second_activation)
            self.linear(encoder.last)
        self.blocks(network.blocks)
        self.tip(network.tip)
        assert isinstance(network.value, net.ValueHead)
        self.policy(network.board_policy)
        self.value(network.value)

    def blocks(self, blocks: tuple[net.Block, ...]) -> None:
        for block in blocks:
            if isinstance(block, net.Bottleneck):
                self.words("nested_bottleneck_block", block.name, len(block.blocks))
                self.norm(block.before)
                self.convolution(block.reduce)
                self.blocks(block.blocks)
                self.norm(block.after)
                self.convolution(block.expand)
                continue
            if isinstance(block, net.Attention):
                self.attention(block)
                continue
            if isinstance(block, net.FeedForward):
                self.feed_forward(block)
                continue
            assert isinstance(block, (net.Residual, net.PooledResidual))
            pooled = block if isinstance(block, net.PooledResidual) else None
            self.words("gpool_block" if pooled else "ordinary_block", block.name)
            self.norm(block.before)
            self.convolution(block.first)
            if pooled:
                self.convolution(pooled.pool)
                self.norm(pooled.pool_norm)
                self.linear(pooled.pool_bias)
            self.norm(block.middle)
            self.convolution(block.last)

    def attention(self, block: net.Attention) -> None:
        theta = theta_of(block.rotations)
        rotates, learned = block.rotations is not None, theta is None
        heads = block.heads, block.key_heads, block.width, block.value_width
        self.words("transformer_attention_block", block.name, *heads, int(rotates), int(learned))
        self.rms(block.norm)
        for layer in (block.query, block.key, block.value, block.out):
            self.linear(layer)
        if theta is not None:
            self.words(f"{block.name}/rotation", theta)
        elif block.rotations is not None:
            self.words(f"{block.name}/rotation", *block.rotations.shape)
            self.floats(block.rotations)

    def feed_forward(self, block: net.FeedForward) -> None:
        units = block.linear.outputs
        self.words("transformer_ffn_block", block.name, block.norm.channels, units, 1)
        self.rms(block.norm)
        for layer in (block.linear, block.gate, block.out):
            self.linear(layer)

    def rms(self, layer: net.RmsNormalization) -> None:
        self.words(layer.name, layer.channels, layer.epsilon)
        self.floats(layer.scale)

    def tip(self, layer: net.Normalization | net.RmsTip) -> None:
        if isinstance(layer, net.Normalization):
            self.norm(layer)
            return
        self.words(layer.name, layer.channels, layer.epsilon, int(layer.spatial), 0)
        self.floats(layer.scale)
        self.floats(layer.shift)
        self.activation(layer.activation)

    def policy(self, head: net.PolicyHead) -> None:
        self.words(head.name, *([head.channels, 0, 0, 0] if self.version >= 17 else []))
        self.convolution(head.first)
        self.convolution(head.pool)
        self.norm(head.pool_norm)
        self.linear(head.pool_bias)
        self.norm(head.middle)
        self.convolution(head.moves)
        if head.pass_hidden:
            self.linear(head.pass_hidden)
            self.activation(head.pass_activation)
        assert head.pass_output is not None
        self.linear(head.pass_output)

    def value(self, head: net.ValueHead) -> None:
        self.words(head.name, *([0, 0, 0] if self.version >= 17 else []))
        self.convolution(head.first)
        self.norm(head.norm)
        self.linear(head.hidden)
        self.activation(head.hidden_activation)
        self.linear(head.value)
        self.linear(head.misc)
        self.convolution(head.ownership)

    def convolution(self, layer: net.Convolution) -> None:
        out, inputs, height, width = layer.weights.shape
        self.words(layer.name, height, width, inputs, out, *layer.dilation)
        self.floats(layer.weights.transpose(2, 3, 1, 0))

    def linear(self, layer: net.Linear) -> None:
        self.words(layer.name, layer.inputs, layer.outputs)
        self.floats(layer.weights)
        if layer.bias is not None:
            self.words(f"{layer.name}/bias", layer.outputs)
            self.floats(layer.bias)

    def norm(self, layer: net.Normalization) -> None:
        """The layer with a mean and a variance that the reader must merge again."""
        mean = self.rng.normal(0, 1, layer.channels)
        variance = self.rng.uniform(0.5, 2, layer.channels)
        self.words(layer.name, layer.channels, EPSILON, 1, 1)
        self.floats(mean)
        self.floats(variance)
        self.floats(layer.scale * np.sqrt(variance + EPSILON))
        self.floats(layer.shift + layer.scale * mean)
        self.activation(layer.activation)

    def activation(self, kind: str) -> None:
        self.words(f"{kind}_layer", *([NAMES[kind]] if self.version >= 11 else []))
