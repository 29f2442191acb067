"""The weights of attention as the core's kernels take them (engine/core/simd/attention.h)."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from engine.networks.architecture import Attention, FloatArray

DoubleArray = NDArray[np.float64]

CHANNEL_STEP = 16  # the core's kChannelStep


@dataclass(frozen=True, eq=False)
class PaddedHeads:
    """Attention with the scale of its normalization and the factor of its scores in the weights.

    A head of queries or of keys has the first channels of its rotated pairs, then the second ones;
    zeros pad each of the two to a multiple of 16 channels, and a head of values likewise.
    """

    joined: FloatArray  # [channels, heads of queries, then of keys, then of values]
    out: FloatArray  # [heads of values, channels]
    frequencies: FloatArray | None  # [key_heads, width / 2, 2], radians a column and a row


def padded_heads(block: Attention) -> PaddedHeads:
    """Returns the weights of `block`, padded; its outputs do not change."""
    half = _padded((block.width + 1) // 2)
    value_width = _padded(block.value_width)
    scale = block.norm.scale[:, None].astype(np.float64)
    # The core's softmax is of powers of two.
    factor = 1 / (np.sqrt(block.width) * np.log(2))
    query = _halves(block.query.weights * scale * factor, block.heads, half)
    key = _halves(block.key.weights * scale, block.key_heads, half)
    value = _wide(block.value.weights * scale, block.key_heads, value_width)
    out = _wide(block.out.weights.T.astype(np.float64), block.heads, value_width).T
    frequencies = None
    if block.rotations is not None:
        frequencies = np.zeros((block.key_heads, half, 2), np.float32)
        frequencies[:, : block.rotations.shape[1]] = block.rotations
    return PaddedHeads(
        joined=np.concatenate([query, key, value], axis=1).astype(np.float32),
        out=np.ascontiguousarray(out, np.float32),
        frequencies=frequencies,
    )


def _padded(channels: int) -> int:
    return -(-channels // CHANNEL_STEP) * CHANNEL_STEP


def _halves(weights: DoubleArray, heads: int, half: int) -> DoubleArray:
    """Moves each head's even columns before its odd ones, padded to `half` columns each."""
    by_head = weights.reshape(len(weights), heads, -1)
    result = np.zeros((len(weights), heads, 2, half))
    for parity in (0, 1):
        columns = by_head[:, :, parity::2]
        result[:, :, parity, : columns.shape[2]] = columns
    return result.reshape(len(weights), -1)


def _wide(weights: DoubleArray, heads: int, width: int) -> DoubleArray:
    """Pads each head's columns with zeros to `width`."""
    by_head = weights.reshape(len(weights), heads, -1)
    result = np.zeros((len(weights), heads, width))
    result[:, :, : by_head.shape[2]] = by_head
    return result.reshape(len(weights), -1)
