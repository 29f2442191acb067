"""KataGo's transformer networks: read correctly, or refused with the layer and the reason."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from engine.networks.architecture import Attention, Bottleneck, FeedForward, Normalization, RmsTip
from engine.networks.katago import read_katago


def blocks_of(part: Any, kind: type) -> list[Any]:
    """The blocks of a kind, in bottlenecks too."""
    inner = [each for block in part if isinstance(block, Bottleneck) for each in block.blocks]
    return [block for block in (*part, *inner) if isinstance(block, kind)]


@pytest.mark.parametrize(
    ("name", "version", "heads", "tip"),
    [
        ("b10c384h6nbttflrs", 15, (6, 6, 32, 32), RmsTip),
        ("b7c96h3tfrs-test5-cnorm", 17, (3, 3, 32, 32), RmsTip),
        ("b7c96h6kv3qk32v16tflrs-fson-bnh", 17, (6, 3, 32, 16), Normalization),
    ],
)
def test_katagos_own_transformers_are_read(
    name: str, version: int, heads: tuple[int, ...], tip: type, katago_data: Path
) -> None:
    found = read_katago(katago_data / f"{name}.bin.gz")
    assert (found.name, found.version, found.policy.channels) == (name, version, 2)
    attention = blocks_of(found.blocks, Attention)
    layers = 20 if name.startswith("b10") else 7
    assert len(attention) == len(blocks_of(found.blocks, FeedForward)) == layers
    for block in attention:
        assert (block.heads, block.key_heads, block.width, block.value_width) == heads
        assert block.rotations.shape == (block.key_heads, block.width // 2, 2)
    assert isinstance(found.tip, tip)
    assert getattr(found.tip, "spatial", False) == (name == "b10c384h6nbttflrs")
