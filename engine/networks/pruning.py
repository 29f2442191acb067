"""Removes dead weights from a network, without a change of its outputs.

Training leaves some units with weights near 1e-42. Processors take a hundred cycles and more for
each such subnormal number, and no float32 output depends on them.
"""

from __future__ import annotations

from dataclasses import fields, is_dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from engine.networks.architecture import Architecture, FeedForward, FloatArray

SMALLEST_WEIGHT = 1e-30


def without_dead_weights(architecture: Architecture) -> Architecture:
    """Sets weights under SMALLEST_WEIGHT to 0 and leaves out the dead units of feed-forward blocks.

    A dead unit has only zeros in its columns and in its row. A block keeps at least one unit.
    """
    pruned: Architecture = _pruned(architecture)
    return pruned


def _pruned(part: Any) -> Any:  # noqa: ANN401 (any part of an architecture)
    if isinstance(part, np.ndarray):
        return _flushed(part)
    if isinstance(part, tuple):
        return tuple(map(_pruned, part))
    if not is_dataclass(part) or isinstance(part, type):
        return part
    flushed = replace(
        part, **{each.name: _pruned(getattr(part, each.name)) for each in fields(part)}
    )
    return _without_dead_units(flushed) if isinstance(flushed, FeedForward) else flushed


def _flushed(weights: FloatArray) -> FloatArray:
    dead = (np.abs(weights) < SMALLEST_WEIGHT) & (weights != 0)
    return np.where(dead, np.float32(0), weights) if dead.any() else weights


def _without_dead_units(block: FeedForward) -> FeedForward:
    linear, gate, out = block.linear.weights, block.gate.weights, block.out.weights
    alive: NDArray[np.bool_] = np.any(np.concatenate([linear, gate, out.T]), axis=0)
    if alive.all():
        return block
    if not alive.any():
        alive[0] = True
    return replace(
        block,
        linear=replace(block.linear, weights=np.ascontiguousarray(linear[:, alive])),
        gate=replace(block.gate, weights=np.ascontiguousarray(gate[:, alive])),
        out=replace(block.out, weights=np.ascontiguousarray(out[alive])),
    )
