"""Constants and activations as OpenVINO nodes."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from engine.networks.quiet_openvino import ops

Node = Any  # openvino has no types of its own


def constant(values: NDArray[Any] | float) -> Node:
    """A node of float32 `values` `[...]`, of their shape."""
    return ops.constant(np.ascontiguousarray(values, np.float32).reshape(np.shape(values)))


def _mish_of_eighth(x: Node) -> Node:
    return ops.multiply(x, ops.tanh(ops.softplus(ops.multiply(x, constant(8.0)))))


ACTIVATIONS = {
    "identity": lambda x: x,
    "relu": ops.relu,
    "mish": ops.mish,
    "silu": ops.swish,
    "mish_scale8": _mish_of_eighth,
}
