"""The transformer's parts for plain_forward: float64, one head, one point at a time."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

Array = NDArray[Any]


def attention(x: Array, block: Any) -> Array:
    """What an attention adds to `x` [channels, height, width]."""
    _, height, width = x.shape
    rows = rms(x, block.norm)
    points = [(row, column) for row in range(height) for column in range(width)]
    query, key, value = (
        (rows @ linear.weights.astype(float)).reshape(len(points), heads, -1)
        for linear, heads in (
            (block.query, block.heads),
            (block.key, block.key_heads),
            (block.value, block.key_heads),
        )
    )
    attended = np.zeros((len(points), block.heads, value.shape[2]))
    for head in range(block.heads):
        of_keys = head * block.key_heads // block.heads
        queries, keys = query[:, head], key[:, of_keys]
        if block.rotations is not None:
            by_column, by_row = block.rotations[of_keys].astype(float).T
            angles = np.array([column * by_column + row * by_row for row, column in points])
            queries, keys = turned(queries, angles), turned(keys, angles)
        scores = np.exp(queries @ keys.T / np.sqrt(block.width))
        attended[:, head] = scores / scores.sum(1, keepdims=True) @ value[:, of_keys]
    y = attended.reshape(len(points), -1) @ block.out.weights.astype(float)
    return y.T.reshape(x.shape)


def feed_forward(x: Array, block: Any) -> Array:
    """What a feed-forward block adds to `x` [channels, height, width]."""
    rows = rms(x, block.norm)
    inner = rows @ block.linear.weights.astype(float)
    y = inner / (1 + np.exp(-inner)) * (rows @ block.gate.weights.astype(float))
    return (y @ block.out.weights.astype(float)).T.reshape(x.shape)


def feed_forward_in_bytes(x: Array, block: Any) -> Array:
    """As feed_forward, with products of bytes."""
    rows = rms(x, block.norm) / block.norm.scale
    matrix = np.hstack([block.linear.weights, block.gate.weights]).astype(float)
    inner, gate = np.split(product_of_bytes(rows, matrix * block.norm.scale[:, None]), 2, 1)
    y = inner / (1 + np.exp(-inner)) * gate
    return product_of_bytes(y, block.out.weights.astype(float)).T.reshape(x.shape)


def product_of_bytes(rows: Array, matrix: Array) -> Array:
    """`rows @ matrix`, with 127 steps to the largest input of a row and weight of a column."""
    norms = np.sqrt((matrix**2).sum(1))
    inputs, weights = rows * norms, matrix / norms[:, None]
    input_steps = np.abs(inputs).max(1, keepdims=True) / 127
    weight_steps = np.abs(weights).max(0) / 127
    sums = np.rint(inputs / input_steps) @ np.rint(weights / weight_steps)
    return sums * input_steps * weight_steps


def rms(x: Array, layer: Any) -> Array:
    """Rows [points, channels], normalized."""
    rows = x.reshape(len(x), -1).T
    return rows / np.sqrt((rows**2).mean(1, keepdims=True) + layer.epsilon) * layer.scale


def rms_tip(x: Array, tip: Any) -> Array:
    """The trunk's end before its activation."""
    squares = (x**2).mean() if tip.spatial else (x**2).mean(0)
    y = x / np.sqrt(squares + tip.epsilon)
    return y * tip.scale[:, None, None] + tip.shift[:, None, None]


def turned(rows: Array, angles: Array) -> Array:
    """Rotates channels 2p and 2p + 1 of each row [points, width] by its angle p."""
    pairs = (rows[:, 0::2] + 1j * rows[:, 1::2]) * np.exp(1j * angles)
    return np.stack([pairs.real, pairs.imag], 2).reshape(rows.shape)
