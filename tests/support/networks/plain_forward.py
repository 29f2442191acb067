"""A slow, obvious forward pass in numpy to hold the backends against: one board at a time.

It shares no code with the backends: normalization is not folded, pooling is written out as in
KataGo's paper, and a board is one array [channels, height, width] of float64.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from engine.networks import architecture as net
from tests.support.networks.plain_transformer import attention, feed_forward, rms_tip

Array = NDArray[Any]


def forward(
    network: net.Architecture,
    spatial: Array,
    globals_: Array,
    metadata: Array | None = None,
    optimism: float = 0.0,
) -> tuple[Array, ...]:
    """policy [h*w+1] or [w], value [3], misc [4 or 6], ownership [h*w] of one board."""
    x = convolution(spatial.astype(float), network.planes)
    x += linear(globals_.astype(float), network.globals)[:, None, None]
    if network.metadata:
        assert metadata is not None
        x += encode(metadata.astype(float), network.metadata)[:, None, None]
    x = normalize(blocks(x, network.blocks), network.tip)
    return policy(x, network.policy, optimism), *values(x, network.value)


def blocks(x: Array, parts: Any) -> Array:
    for part in parts:
        if isinstance(part, net.SqueezedResidual):
            x = squeezed(x, part)
            continue
        x = x + BRANCHES[type(part)](x, part)
    return x


def residual(x: Array, block: Any) -> Array:
    y = convolution(normalize(x, block.before), block.first)
    return convolution(normalize(y, block.middle), block.last)


def pooled_residual(x: Array, block: Any) -> Array:
    y = normalize(x, block.before)
    seen = normalize(convolution(y, block.pool), block.pool_norm)
    bias = linear(mean_and_maximum(seen), block.pool_bias)
    y = convolution(y, block.first) + bias[:, None, None]
    return convolution(normalize(y, block.middle), block.last)


def bottleneck(x: Array, block: Any) -> Array:
    y = convolution(normalize(x, block.before), block.reduce)
    y = blocks(y, block.blocks)
    return convolution(normalize(y, block.after), block.expand)


def squeezed(x: Array, block: net.SqueezedResidual) -> Array:
    """lc0's block, whose sum begins at the activated trunk."""
    y = normalize(x, block.before)
    z = normalize(convolution(y, block.first), block.middle)
    z = normalize(convolution(z, block.last), block.after)
    if block.squeeze is not None:
        hidden = activate(linear(z.mean((1, 2)), block.squeeze.hidden), block.squeeze.activation)
        scale, shift = np.split(linear(hidden, block.squeeze.gates), 2)
        z = z / (1 + np.exp(-scale))[:, None, None] + shift[:, None, None]
    return y + z


BRANCHES = {
    net.Residual: residual,
    net.PooledResidual: pooled_residual,
    net.Bottleneck: bottleneck,
    net.Attention: attention,
    net.FeedForward: feed_forward,
}


def encode(metadata: Array, encoder: Any) -> Array:
    y = activate(linear(metadata, encoder.first), encoder.first_activation)
    y = activate(linear(y, encoder.second), encoder.second_activation)
    return linear(y, encoder.last)


def flat_policy(x: Array, head: Any) -> Array:
    y = normalize(convolution(x, head.first), head.norm)
    if isinstance(head, net.FlatPolicyHead):
        return linear(y.ravel(), head.moves)
    return normalize(convolution(y, head.planes), head.shift).ravel()[list(head.cells)]


def policy(x: Array, head: Any, optimism: float) -> Array:
    if not isinstance(head, net.PolicyHead):
        return flat_policy(x, head)
    pool = mean_and_maximum(normalize(convolution(x, head.pool), head.pool_norm))
    y = convolution(x, head.first) + linear(pool, head.pool_bias)[:, None, None]
    moves = convolution(normalize(y, head.middle), head.moves)
    if head.pass_hidden:
        pool = activate(linear(pool, head.pass_hidden), head.pass_activation)
    if head.pass_output is None:
        channels = [sum(rows) for rows in moves]
    else:
        passing = linear(pool, head.pass_output)
        channels = [np.append(moves[c].ravel(), passing[c]) for c in range(len(moves))]
    if len(channels) == 1:
        return channels[0]
    return channels[0] + optimism * (channels[1] - channels[0])


def values(x: Array, head: Any) -> tuple[Array, Array, Array]:
    y = normalize(convolution(x, head.first), head.norm)
    if isinstance(head, net.FlatValueHead):
        hidden = activate(linear(y.ravel(), head.hidden), head.hidden_activation)
        return linear(hidden, head.value), np.zeros(6), np.zeros(x[0].size)
    mean = y.mean((1, 2))
    size = np.sqrt(y.shape[1] * y.shape[2]) - 14
    pool = np.concatenate([mean, mean * size / 10, mean * (size**2 / 100 - 0.1)])
    hidden = activate(linear(pool, head.hidden), head.hidden_activation)
    ownership = convolution(y, head.ownership).ravel()
    return linear(hidden, head.value), linear(hidden, head.misc), ownership


def mean_and_maximum(x: Array) -> Array:
    size = np.sqrt(x.shape[1] * x.shape[2]) - 14
    mean = x.mean((1, 2))
    return np.concatenate([mean, mean * size / 10, x.max((1, 2))])


def convolution(x: Array, layer: Any) -> Array:
    weights = layer.weights.astype(float)
    out, _, kernel_y, kernel_x = weights.shape
    _, height, width = x.shape
    edge_y, edge_x = kernel_y // 2 * layer.dilation[0], kernel_x // 2 * layer.dilation[1]
    x = np.pad(x, ((0, 0), (edge_y, edge_y), (edge_x, edge_x)))
    y = np.zeros((out, height, width))
    for ky in range(kernel_y):
        for kx in range(kernel_x):
            top, left = ky * layer.dilation[0], kx * layer.dilation[1]
            seen = x[:, top : top + height, left : left + width]
            y += np.tensordot(weights[:, :, ky, kx], seen, 1)
    return y


def normalize(x: Array, layer: Any) -> Array:
    if isinstance(layer, net.RmsTip):
        return activate(rms_tip(x, layer), layer.activation)
    y = x * layer.scale[:, None, None] + layer.shift[:, None, None]
    return activate(y, layer.activation)


def linear(x: Array, layer: Any) -> Array:
    y = x @ layer.weights.astype(float)
    return y if layer.bias is None else y + layer.bias


def activate(x: Array, name: str) -> Array:
    functions: dict[str, Callable[[], Array]] = {
        "identity": lambda: x,
        "relu": lambda: np.maximum(x, 0),
        "mish": lambda: x * np.tanh(np.logaddexp(0, x)),
        "silu": lambda: x / (1 + np.exp(-x)),
        "mish_scale8": lambda: x * np.tanh(np.logaddexp(0, 8 * x)),
    }
    return functions[name]()
