"""Generated networks, one for every thing an architecture can be."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from engine.networks.architecture import Architecture, Normalization
from engine.networks.fresh import BlockKind, Shape, fresh_architecture
from tests.support.networks.transformers import TRANSFORMERS, transformer

SMALL = Shape(
    blocks=("residual", "pooled", "residual"),
    channels=12,
    middle=10,
    pooling=5,
    head=7,
    hidden=9,
    activation="relu",
    version=8,
)
NESTED: tuple[BlockKind, ...] = ("residual", "pooled")
KATAGO_SHAPES = {  # those that KataGo has files for
    "version 8": SMALL,
    "version 9": replace(SMALL, version=9),
    "version 10, large kernel": replace(SMALL, version=10, kernel=5),
    "version 11, mish": replace(SMALL, version=11, activation="mish"),
    "version 12, optimism": replace(SMALL, version=12, activation="silu", policies=2),
    "version 14, nested": replace(
        SMALL,
        version=14,
        activation="mish",
        policies=2,
        blocks=("bottleneck", "bottleneck"),
        inner_blocks=NESTED,
    ),
    "version 15, metadata": replace(
        SMALL, version=15, activation="mish", policies=2, metadata=192, blocks=("bottleneck",)
    ),
    "version 15, metadata, silu": replace(
        SMALL, version=15, activation="silu", policies=2, metadata=192
    ),
    "version 15, metadata, relu": replace(SMALL, version=15, policies=2, metadata=192),
    "version 16": replace(SMALL, version=16, activation="mish", policies=4),
    "identity": replace(SMALL, version=11, activation="identity"),
    "mish of an eighth": replace(SMALL, version=11, activation="mish_scale8"),
}
SHAPES = {
    **KATAGO_SHAPES,
    "othello": replace(SMALL, game="othello"),
    "connect4": replace(SMALL, game="connect4"),
    "connect4, optimism": replace(SMALL, version=15, game="connect4", policies=2),
}


def network(name: str) -> Architecture:
    """The named network with every weight drawn, scales and shifts of normalization too."""
    if name in TRANSFORMERS:
        return drawn(transformer(name), np.random.default_rng(len(name)))
    shape = SHAPES[name]
    rng = np.random.default_rng(len(name))
    made = fresh_architecture(name.replace(" ", "-").replace(",", ""), shape, rng)
    return drawn(made, rng)


def drawn(part: Any, rng: np.random.Generator) -> Any:
    """A part whose normalizations and biases are random instead of ones and zeros."""
    if isinstance(part, Normalization):
        scale = rng.normal(0.8, 0.3, part.channels).astype(np.float32)
        shift = rng.normal(0, 0.3, part.channels).astype(np.float32)
        return replace(part, scale=scale, shift=shift)
    if isinstance(part, tuple):
        return tuple(drawn(item, rng) for item in part)
    if not hasattr(part, "__dataclass_fields__"):
        return part
    changed = {name: drawn(getattr(part, name), rng) for name in part.__dataclass_fields__}
    if changed.get("bias") is not None:
        changed["bias"] = rng.normal(0, 0.3, changed["bias"].shape).astype(np.float32)
    return replace(part, **changed)


def positions(
    network: Architecture, rng: np.random.Generator, count: int, height: int, width: int
) -> Any:
    """Inputs that look like boards: sparse planes, the first one full."""
    spatial = (rng.random((count, network.planes.inputs, height, width)) < 0.2).astype(np.uint8)
    spatial[:, 0] = 1
    globals_ = rng.normal(0, 0.5, (count, network.globals.inputs)).astype(np.float32)
    wanted = network.metadata.first.inputs if network.metadata else 0
    metadata = rng.normal(0, 0.5, (count, wanted)).astype(np.float32)
    return spatial, globals_, metadata
