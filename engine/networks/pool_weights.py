"""The weights on pooled values, folded for boards of exactly one size."""

from __future__ import annotations

import numpy as np

from engine.networks.architecture import CENTRAL_SIDE, POOL_PARTS, FloatArray, Linear


def board_pool_weights(linear: Linear, height: int, width: int) -> tuple[FloatArray, FloatArray]:
    """Weights on mean and on maximum for boards of exactly this size: `[channels, out]` each."""
    parts: list[FloatArray] = np.split(linear.weights, POOL_PARTS)
    mean, scaled, maximum = parts
    on_mean: FloatArray = mean + np.float32(_side(height, width) * 0.1) * scaled
    return on_mean, maximum


def value_pool_weights(linear: Linear, height: int, width: int) -> FloatArray:
    """Weights of the value head's hidden layer on the mean alone: `[channels, out]`."""
    parts: list[FloatArray] = np.split(linear.weights, POOL_PARTS)
    mean, scaled, squared = parts
    side = _side(height, width)
    on_mean: FloatArray = mean + np.float32(side * 0.1) * scaled
    on_mean += np.float32(side * side * 0.01 - 0.1) * squared
    return on_mean


def _side(height: int, width: int) -> float:
    return float(np.sqrt(height * width)) - CENTRAL_SIDE
