"""Blocks that treat each point alike, or all points by attention, as OpenVINO nodes.

Every node is float32 rows `[batch, points, channels]`. Bottlenecks of 1x1 convolutions around such
blocks stay in rows too: a change of the layout at each block costs 4 to 6% of the time.
"""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from engine.networks.architecture import (
    Attention,
    Block,
    Bottleneck,
    Convolution,
    FeedForward,
    FloatArray,
    Linear,
    Normalization,
    RmsNormalization,
)
from engine.networks.openvino_layers import ACTIVATIONS, Node, constant
from engine.networks.quiet_openvino import ops
from engine.networks.transformer_weights import (
    key_weights,
    linear_and_gate_weights,
    query_weights,
    turns_a_step,
    value_weights,
)

CHANNELS = [2]
POINTWISE = (1, 1)
ROWS_AND_BACK = [0, 2, 1]
HEADS_FIRST = [0, 2, 1, 3]


def works_on_rows(block: Block) -> bool:
    """True for attention, feed-forward blocks, and bottlenecks of 1x1 convolutions around them."""
    if isinstance(block, Bottleneck):
        kernels = {part.weights.shape[2:] for part in (block.reduce, block.expand)}
        return kernels == {POINTWISE} and all(map(works_on_rows, block.blocks))
    return isinstance(block, (Attention, FeedForward))


class RowBuilder:
    """Builds blocks over boards of one size."""

    def __init__(self, height: int, width: int, batch: int) -> None:
        self._height, self._width, self._batch = height, width, batch
        self._points = height * width

    def add_blocks(self, x: Node, blocks: Iterable[Block]) -> Node:
        """Adds blocks to trunk `x` `[batch, channels, height, width]`; returns the same shape."""
        rows = ops.reshape(x, [self._batch, -1, self._points], False)  # noqa: FBT003
        rows = self._blocks(ops.transpose(rows, ROWS_AND_BACK), blocks)
        x = ops.transpose(rows, ROWS_AND_BACK)
        return ops.reshape(x, [self._batch, -1, self._height, self._width], False)  # noqa: FBT003

    def _blocks(self, x: Node, blocks: Iterable[Block]) -> Node:
        for block in blocks:
            if isinstance(block, Attention):
                y = self._attention(x, block)
            elif isinstance(block, FeedForward):
                y = self._feed_forward(x, block)
            elif isinstance(block, Bottleneck):
                y = self._bottleneck(x, block)
            else:
                raise TypeError(f"{block.name} does not work on rows")
            x = ops.add(x, y)
        return x

    def _bottleneck(self, x: Node, block: Bottleneck) -> Node:
        y = _convolve(_normalize(x, block.before), block.reduce)
        y = self._blocks(y, block.blocks)
        return _convolve(_normalize(y, block.after), block.expand)

    def _feed_forward(self, x: Node, block: FeedForward) -> Node:
        y = _rms(x, block.norm)
        linear, gate = (_matmul(y, weights) for weights in linear_and_gate_weights(block))
        return _linear(ops.multiply(ops.swish(linear), gate), block.out)

    def _attention(self, x: Node, block: Attention) -> Node:
        heads, key_heads = block.heads, block.key_heads
        y = _rms(x, block.norm)
        queries = self._heads(_matmul(y, query_weights(block)), heads, block.width)
        keys = self._heads(_matmul(y, key_weights(block)), key_heads, block.width)
        if block.rotations is not None:
            queries = self._turned(queries, turns_a_step(block.rotations, heads))
            keys = self._turned(keys, turns_a_step(block.rotations, key_heads))
        values = self._heads(_matmul(y, value_weights(block)), key_heads, block.value_width)
        queries, keys, values = (
            ops.transpose(part, HEADS_FIRST) for part in (queries, keys, values)
        )
        # The query heads of one key head are more queries of it.
        queries = self._shaped(queries, [key_heads, -1, block.width])
        shares = ops.softmax(ops.matmul(queries, keys, False, True), 3)  # noqa: FBT003
        attended = ops.matmul(shares, values, False, False)  # noqa: FBT003
        attended = self._shaped(attended, [heads, self._points, block.value_width])
        attended = ops.transpose(attended, HEADS_FIRST)
        return _linear(self._shaped(attended, [self._points, block.out.inputs]), block.out)

    def _turned(self, heads: Node, turns: FloatArray) -> Node:
        """Rotates the sorted pairs of `[batch, points, heads, width]`."""
        row, column = np.divmod(np.arange(self._points)[:, None, None], self._width)
        angles = column * turns[0].astype(np.float64) + row * turns[1].astype(np.float64)
        cosine, sine = constant(np.cos(angles)[None]), constant(np.sin(angles)[None])
        first, second = ops.split(heads, 3, 2).outputs()
        turned = [
            ops.subtract(ops.multiply(first, cosine), ops.multiply(second, sine)),
            ops.add(ops.multiply(first, sine), ops.multiply(second, cosine)),
        ]
        return ops.concat(turned, 3)

    def _heads(self, rows: Node, heads: int, width: int) -> Node:
        return self._shaped(rows, [self._points, heads, width])

    def _shaped(self, x: Node, shape: list[int]) -> Node:
        return ops.reshape(x, [self._batch, *shape], False)  # noqa: FBT003


def _rms(x: Node, layer: RmsNormalization) -> Node:
    """The normalized rows without the scale."""
    mean = ops.reduce_mean(ops.power(x, constant(2.0)), CHANNELS, keep_dims=True)
    return ops.divide(x, ops.sqrt(ops.add(mean, constant(layer.epsilon))))


def _normalize(x: Node, layer: Normalization) -> Node:
    y = ops.multiply(x, constant(layer.scale.reshape(1, 1, -1)))
    y = ops.add(y, constant(layer.shift.reshape(1, 1, -1)))
    return ACTIVATIONS[layer.activation](y)


def _convolve(x: Node, layer: Convolution) -> Node:
    return _matmul(x, layer.weights[:, :, 0, 0].T)


def _linear(x: Node, layer: Linear) -> Node:
    y = _matmul(x, layer.weights)
    return y if layer.bias is None else ops.add(y, constant(layer.bias.reshape(1, 1, -1)))


def _matmul(x: Node, weights: FloatArray) -> Node:
    return ops.matmul(x, constant(weights), False, False)  # noqa: FBT003
