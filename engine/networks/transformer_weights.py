"""The weights of a transformer's blocks in the form that runtimes compute fastest.

The norm's scale and the scores' divisor are multiplied into the matrices. The channels of a head
of queries or keys are sorted into the first ones of all pairs and the second ones, so that a
rotation is a sum of halves; scores do not depend on the order.
"""

from __future__ import annotations

import numpy as np

from engine.networks.architecture import Attention, FeedForward, FloatArray, Linear


def query_weights(block: Attention) -> FloatArray:
    """Returns `[channels, heads * width]`: sorted, with scale and divisor."""
    scaled: FloatArray = _sorted(block.query, block) / np.float32(np.sqrt(block.width))
    return scaled


def key_weights(block: Attention) -> FloatArray:
    """Returns `[channels, key_heads * width]`: sorted, with the norm's scale."""
    return _sorted(block.key, block)


def value_weights(block: Attention) -> FloatArray:
    """Returns `[channels, key_heads * value_width]` with the norm's scale."""
    return _scaled(block.value, block)


def linear_and_gate_weights(block: FeedForward) -> tuple[FloatArray, FloatArray]:
    """Returns both matrices `[channels, units]` with the norm's scale."""
    return _scaled(block.linear, block), _scaled(block.gate, block)


def turns_a_step(rotations: FloatArray, heads: int) -> FloatArray:
    """Returns radians a column and radians a row, `[2, heads, width / 2]`, for `heads` heads."""
    repeated: FloatArray = np.repeat(rotations, heads // len(rotations), 0)
    return np.ascontiguousarray(repeated.transpose(2, 0, 1))


def _sorted(linear: Linear, block: Attention) -> FloatArray:
    weights = _scaled(linear, block)
    if block.rotations is None:
        return weights
    pairs = weights.reshape(len(weights), -1, block.width // 2, 2)
    return pairs.swapaxes(2, 3).reshape(weights.shape)


def _scaled(linear: Linear, block: Attention | FeedForward) -> FloatArray:
    scaled: FloatArray = linear.weights * block.norm.scale[:, None]
    return scaled
