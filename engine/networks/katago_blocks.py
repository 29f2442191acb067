"""Reads the blocks of a KataGo file's trunk, each by the word for its kind.

Their contents follow KataGo's cpp/neuralnet/desc.cpp.
"""

from __future__ import annotations

from collections.abc import Callable

from engine.networks.architecture import Block, Bottleneck, PooledResidual, Residual
from engine.networks.katago_layers import LayerReader
from engine.networks.katago_transformer import read_attention, read_feed_forward

MAX_BLOCKS = 1024
MAX_DEPTH = 4


def read_blocks(layers: LayerReader, count: int, owner: str, depth: int = 0) -> tuple[Block, ...]:
    """Reads `count` blocks of `owner`, inside of `depth` bottlenecks."""
    blocks = []
    for number in range(1, count + 1):
        layers.stream.layer = f"block {number} of {owner}"
        blocks.append(_read_block(layers, depth))
    return tuple(blocks)


def _read_block(layers: LayerReader, depth: int) -> Block:
    kind = layers.stream.word("a kind of block")
    if kind == BOTTLENECK:
        return _read_bottleneck(layers, depth)
    if kind not in KINDS:
        raise layers.stream.fail(f"expected a kind of block, found {kind[:40]!r}")
    return KINDS[kind](layers)


def _read_residual(layers: LayerReader) -> Residual:
    return Residual(
        name=layers.name("block"),
        before=layers.normalization(),
        first=layers.convolution(),
        middle=layers.normalization(),
        last=layers.convolution(),
    )


def _read_pooled_residual(layers: LayerReader) -> PooledResidual:
    return PooledResidual(
        name=layers.name("block"),
        before=layers.normalization(),
        first=layers.convolution(),
        pool=layers.convolution(),
        pool_norm=layers.normalization(),
        pool_bias=layers.linear(),
        middle=layers.normalization(),
        last=layers.convolution(),
    )


def _read_bottleneck(layers: LayerReader, depth: int) -> Bottleneck:
    name = layers.name("block")
    if depth >= MAX_DEPTH:
        raise layers.stream.fail(f"blocks are nested more than {MAX_DEPTH} deep")
    count = layers.stream.integer("number of inner blocks", 1, MAX_BLOCKS)
    return Bottleneck(
        name=name,
        before=layers.normalization(),
        reduce=layers.convolution(),
        blocks=read_blocks(layers, count, name, depth + 1),
        after=layers.normalization(),
        expand=layers.convolution(),
    )


BOTTLENECK = "nested_bottleneck_block"
KINDS: dict[str, Callable[[LayerReader], Block]] = {
    "ordinary_block": _read_residual,
    "gpool_block": _read_pooled_residual,
    "transformer_attention_block": read_attention,
    "transformer_ffn_block": read_feed_forward,
}
