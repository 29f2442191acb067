"""The weights of attention as the core's kernels take them (engine/core/simd/attention.h)."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from engine._core import CpuNetwork
from engine.networks.architecture import Attention, FloatArray
from engine.networks.transformer_weights import key_weights, query_weights, value_weights


@dataclass(frozen=True, eq=False)
class PaddedHeads:
    """Attention with the scale of its normalization and the factor of its scores in the weights.

    A head of queries or of keys has the first channels of its rotated pairs, then the second ones;
    zeros pad each of the two, and a head of values, to a multiple of CpuNetwork.channel_step.
    """

    joined: FloatArray  # [channels, heads of queries, then of keys, then of values]
    out: FloatArray  # [heads of values, channels]
    frequencies: FloatArray | None  # [key_heads, width / 2, 2], radians a column and a row


def padded_heads(block: Attention) -> PaddedHeads:
    """Returns the weights of `block`, padded; its outputs do not change."""
    half = _padded((block.width + 1) // 2)
    rotates = block.rotations is not None
    # Parts of a head that are padded on their own, and their width.
    parts, width = (2, half) if rotates else (1, 2 * half)
    # The core's softmax is of powers of two.
    query = _widened(query_weights(block) / np.float32(np.log(2)), parts * block.heads, width)
    key = _widened(key_weights(block), parts * block.key_heads, width)
    value_width = _padded(block.value_width)
    value = _widened(value_weights(block), block.key_heads, value_width)
    out = _widened(block.out.weights.T, block.heads, value_width).T
    frequencies = None
    if block.rotations is not None:
        frequencies = np.zeros((block.key_heads, half, 2), np.float32)
        frequencies[:, : block.rotations.shape[1]] = block.rotations
    return PaddedHeads(
        joined=np.concatenate([query, key, value], axis=1),
        out=np.ascontiguousarray(out),
        frequencies=frequencies,
    )


def _padded(channels: int) -> int:
    step = CpuNetwork.channel_step
    return -(-channels // step) * step


def _widened(weights: FloatArray, parts: int, width: int) -> FloatArray:
    """Pads each of the equal parts of the columns with zeros to `width` columns."""
    by_part = weights.reshape(len(weights), parts, -1)
    result = np.zeros((len(weights), parts, width), np.float32)
    result[:, :, : by_part.shape[2]] = by_part
    return result.reshape(len(weights), -1)
