"""Generated transformers, one for every thing that their parts can be."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from engine.networks import architecture as net
from engine.networks.fresh import Shape, fresh_architecture

BASE = Shape(
    blocks=("pooled", "bottleneck"),
    channels=12,
    middle=10,
    pooling=5,
    head=7,
    hidden=9,
    activation="silu",
    version=15,
    policies=2,
)


THETA = 100.0  # of fixed rotations


@dataclass(frozen=True)
class Transformer:
    """Heads of the attention layers, the blocks, the tip, and the version of KataGo's files."""

    heads: int = 2
    key_heads: int = 2
    width: int = 4
    value_width: int = 4
    rotates: bool = True
    spatial: bool | None = True  # the tip's mean; None for a batch normalization
    mixed: bool = False  # convolutions around the transformer's blocks, some of them nested
    nested: bool = False  # all blocks are nested
    activation: str = "silu"
    theta: float | None = None  # of fixed rotations; None for learned ones
    version: int = 15
    policies: int = 2


TRANSFORMERS = {
    "transformer": Transformer(),
    "transformer, shared keys": Transformer(
        heads=6, key_heads=3, width=6, value_width=2, spatial=None
    ),
    "transformer, one key head, tip by point": Transformer(heads=3, key_heads=1, spatial=False),
    "transformer without rotations": Transformer(width=3, rotates=False, spatial=False),
    "transformer among convolutions": Transformer(heads=4, value_width=3, mixed=True),
    "transformer of bottlenecks": Transformer(nested=True, activation="mish"),
    "transformer of version 16, fixed rotations": Transformer(
        heads=4, width=8, theta=THETA, spatial=False, version=16, policies=4
    ),
    "transformer of version 17": Transformer(version=17),
    "transformer of version 17, fixed rotations, four policies": Transformer(
        heads=4, width=12, theta=THETA, mixed=True, spatial=None, version=17, policies=4
    ),
}


def transformer(name: str) -> net.Architecture:
    """The named network with every weight drawn."""
    shape, rng = TRANSFORMERS[name], np.random.default_rng(len(name))
    base = replace(
        BASE, version=shape.version, policies=shape.policies, activation=shape.activation
    )
    made = fresh_architecture(name.replace(" ", "-").replace(",", ""), base, rng)
    pooled, bottleneck = made.blocks
    assert isinstance(bottleneck, net.Bottleneck)
    blocks: tuple[net.Block, ...]
    if shape.mixed:
        pair = _pair("inner0", shape, BASE.middle, rng)
        bottleneck = replace(bottleneck, blocks=(*pair, *bottleneck.blocks, *pair[::-1]))
        blocks = (*_pair("block0", shape, BASE.channels, rng), pooled, bottleneck)
    elif shape.nested:
        inner = (_pair(f"inner{i}", shape, BASE.middle, rng) for i in range(2))
        blocks = tuple(replace(bottleneck, blocks=pair) for pair in inner)
    else:
        first, second = (_pair(f"block{i}", shape, BASE.channels, rng) for i in range(2))
        blocks = (*first, *second)
    tip: net.Normalization | net.RmsTip = made.tip
    if shape.spatial is not None:
        scale, shift = _scale(BASE.channels, rng), _scale(BASE.channels, rng) - 1
        tip = net.RmsTip("tip", 1e-3, shape.spatial, scale, shift, shape.activation)
    return replace(made, blocks=blocks, tip=tip)


def _pair(
    name: str, shape: Transformer, channels: int, rng: np.random.Generator
) -> tuple[net.Attention, net.FeedForward]:
    queries, keys = shape.heads * shape.width, shape.key_heads * shape.width
    turns = rng.normal(0, 0.5, (shape.key_heads, shape.width // 2, 2)).astype(np.float32)
    if shape.theta:
        turns = _fixed_rotations(shape.theta, shape.key_heads, shape.width)
    attention = net.Attention(
        name=f"{name}/attention",
        norm=net.RmsNormalization(f"{name}/norm1", _scale(channels, rng), 1e-3),
        heads=shape.heads,
        key_heads=shape.key_heads,
        query=_linear(f"{name}/query", channels, queries, rng),
        key=_linear(f"{name}/key", channels, keys, rng),
        value=_linear(f"{name}/value", channels, shape.key_heads * shape.value_width, rng),
        out=_linear(f"{name}/out1", shape.heads * shape.value_width, channels, rng),
        rotations=turns if shape.rotates else None,
    )
    units = channels + 5
    feed_forward = net.FeedForward(
        name=f"{name}/feed-forward",
        norm=net.RmsNormalization(f"{name}/norm2", _scale(channels, rng), 1e-3),
        linear=_linear(f"{name}/linear", channels, units, rng),
        gate=_linear(f"{name}/gate", channels, units, rng),
        out=_linear(f"{name}/out2", units, channels, rng),
    )
    return attention, feed_forward


def _fixed_rotations(theta: float, key_heads: int, width: int) -> net.FloatArray:
    """The first half of the pairs turns by the row, the second by the column."""
    turns = np.zeros((key_heads, width // 2, 2), np.float32)
    for pair in range(width // 4):
        turns[:, pair, 1] = theta ** (-2 * pair / (width // 2))
        turns[:, width // 4 + pair, 0] = theta ** (-2 * pair / (width // 2))
    return turns


def _scale(channels: int, rng: np.random.Generator) -> net.FloatArray:
    return rng.normal(1, 0.3, channels).astype(np.float32)


def _linear(name: str, inputs: int, outputs: int, rng: np.random.Generator) -> net.Linear:
    """A matrix that makes scores of the size of 1."""
    weights = rng.normal(0, 1 / np.sqrt(inputs), (inputs, outputs))
    return net.Linear(name, weights.astype(np.float32))
