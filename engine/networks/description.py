"""The description and the digest of an architecture, without its weights."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator

import numpy as np

from engine.games.evaluator import NetworkDescription
from engine.networks.architecture import (
    Architecture,
    Attention,
    Block,
    Bottleneck,
    PolicyHead,
    arrays,
)

DIGEST_DIGITS = 16


def attention_layers(blocks: tuple[Block, ...]) -> Iterator[Attention]:
    """Yields the attention layers of blocks, in bottlenecks too."""
    return (block for block in every_block(blocks) if isinstance(block, Attention))


def every_block(blocks: tuple[Block, ...]) -> Iterator[Block]:
    """Yields blocks, each bottleneck before those inside it."""
    for block in blocks:
        yield block
        if isinstance(block, Bottleneck):
            yield from every_block(block.blocks)


def digest_of(architecture: Architecture) -> str:
    """Returns hexadecimal digits of the weights and of the attention's heads, not of the file."""
    digest = hashlib.sha256()
    for path, array in arrays(architecture):
        digest.update(f"{path} {array.shape}".encode())
        digest.update(np.ascontiguousarray(array, np.float32).data)
    for layer in attention_layers(architecture.blocks):
        digest.update(f"heads {layer.heads} {layer.key_heads}".encode())
    return digest.hexdigest()[:DIGEST_DIGITS]


def describe(architecture: Architecture) -> NetworkDescription:
    """Returns the description for the search and the user, without weights."""
    metadata, policy = architecture.metadata, architecture.policy
    return NetworkDescription(
        name=architecture.name,
        version=architecture.version,
        trunk=_trunk(architecture),
        parameters=sum(array.size for _, array in arrays(architecture)),
        planes=architecture.planes.inputs,
        globals=architecture.globals.inputs,
        metadata=metadata.first.inputs if metadata else 0,
        policies=policy.channels if isinstance(policy, PolicyHead) else 1,
        multipliers=architecture.multipliers,
        game=architecture.game,
        pass_alive_under_suicide=architecture.pass_alive_under_suicide,
        uses_doublings=architecture.uses_doublings,
        digest=digest_of(architecture),
    )


def _trunk(architecture: Architecture) -> str:
    """Returns the trunk in words, as "10 blocks x 384 channels, 20 attention layers of 6 heads"."""
    text = f"{len(architecture.blocks)} blocks x {architecture.channels} channels"
    heads = sorted({layer.heads for layer in attention_layers(architecture.blocks)})
    if heads:
        layers = sum(1 for _ in attention_layers(architecture.blocks))
        text += f", {layers} attention layers of {' or '.join(map(str, heads))} heads"
    return text
