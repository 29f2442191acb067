"""Reads the transformer's parts of a KataGo file: attention, feed-forward blocks, RMS tips.

Files of the model versions 15 to 17 may hold them. Their contents follow KataGo 1.17's
cpp/neuralnet/desc.cpp.
"""

from __future__ import annotations

import numpy as np

from engine.networks.architecture import (
    Attention,
    FeedForward,
    FloatArray,
    RmsNormalization,
    RmsTip,
)
from engine.networks.checks import LARGEST_EPSILON
from engine.networks.katago_layers import LayerReader


def read_attention(layers: LayerReader) -> Attention:
    """Reads a transformer_attention_block."""
    stream, name = layers.stream, layers.name("attention block")
    heads, key_heads = layers.channels("heads"), layers.channels("key heads")
    if heads % key_heads:
        raise stream.fail(f"{key_heads} key heads do not divide {heads} heads")
    width, value_width = layers.channels("channels of a head"), layers.channels("values of a head")
    rotates = stream.integer("presence of rotations", 0, 1)
    learned = stream.integer("presence of learned rotations", 0, 1)
    if rotates and width % 2:
        raise stream.fail(f"heads of {width} channels cannot be rotated, expected an even number")
    if rotates and not learned and width % 4:
        raise stream.fail(
            f"heads of {width} channels have no fixed rotations, expected a multiple of 4"
        )
    norm = read_rms(layers)
    query = layers.linear(outputs=heads * width)
    key = layers.linear(outputs=key_heads * width)
    value = layers.linear(outputs=key_heads * value_width)
    out = layers.linear(inputs=heads * value_width)
    rotations = None
    if rotates:
        read = _learned_rotations if learned else _fixed_rotations
        rotations = read(layers, key_heads, width)
    return Attention(name, norm, heads, key_heads, query, key, value, out, rotations)


def read_feed_forward(layers: LayerReader) -> FeedForward:
    """Reads a transformer_ffn_block."""
    stream, name = layers.stream, layers.name("feed-forward block")
    channels, units = layers.channels("channels"), layers.channels("units")
    if not stream.integer("presence of a gate", 0, 1):
        raise stream.fail("it has no gate, and the file does not name the activation without one")
    return FeedForward(
        name=name,
        norm=read_rms(layers),
        linear=layers.linear(inputs=channels, outputs=units),
        gate=layers.linear(inputs=channels, outputs=units),
        out=layers.linear(inputs=units, outputs=channels),
    )


def read_rms(layers: LayerReader) -> RmsNormalization:
    """Reads a root-mean-square normalization without an activation."""
    name = layers.name("RMS normalization")
    channels = layers.channels("channels")
    epsilon = layers.stream.positive("epsilon", LARGEST_EPSILON)
    return RmsNormalization(name, layers.stream.floats(channels), epsilon)


def read_rms_tip(layers: LayerReader) -> RmsTip:
    """Reads the root-mean-square normalization at the end of a trunk, with its activation."""
    stream, name = layers.stream, layers.name("RMS tip")
    channels = layers.channels("channels")
    epsilon = stream.positive("epsilon", LARGEST_EPSILON)
    spatial = stream.integer("choice of a spatial mean", 0, 1)
    layers.zeros(1, "size of a channel group")
    return RmsTip(
        name=name,
        epsilon=epsilon,
        spatial=spatial == 1,
        scale=stream.floats(channels),
        shift=stream.floats(channels),
        activation=layers.activation(),
    )


def _learned_rotations(layers: LayerReader, key_heads: int, width: int) -> FloatArray:
    """Reads the rotations `[key_heads, width / 2, 2]`."""
    layers.name("rotation table")
    shape = key_heads, width // 2, 2
    for what, size in zip(("key heads", "pairs", "axes"), shape, strict=True):
        layers.stream.integer(f"number of {what}", size, size)
    return layers.stream.floats(*shape)


def _fixed_rotations(layers: LayerReader, key_heads: int, width: int) -> FloatArray:
    """Reads theta; returns the rotations `[key_heads, width / 2, 2]` of all heads.

    The first half of the pairs turns by the row, the second half by the column; pair p of a half
    turns by `theta ** (-2 p / (width / 2))` radians a point.
    """
    layers.name("rotation")
    theta = layers.stream.positive("theta")
    half = width // 4
    with np.errstate(over="ignore"):
        angles = (theta ** (-2.0 * np.arange(half) / (width / 2))).astype(np.float32)
    if not np.isfinite(angles).all():
        raise layers.stream.fail(f"theta {theta:g} gives angles that are not finite")
    rotations = np.zeros((key_heads, 2 * half, 2), np.float32)
    rotations[:, :half, 1] = angles
    rotations[:, half:, 0] = angles
    return rotations
