"""Dead weights: set to 0 and left out on reading, without a change of the outputs."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from engine.networks.architecture import Architecture, Attention, Bottleneck, FeedForward, arrays
from engine.networks.checks import check
from engine.networks.description import attention_layers, describe, digest_of
from engine.networks.katago import read_katago
from engine.networks.pruning import without_dead_weights
from engine.networks.runtime import read_network
from engine.networks.sparring import write_sparring
from tests.support.networks import plain_forward
from tests.support.networks.katago_writer import katago_file
from tests.support.networks.shapes import network, positions

SUBNORMAL = np.float32(1e-42)
DEAD = [0, 3, 16]  # of the 17 units of a feed-forward block


def feed_forward_of(architecture: Architecture) -> FeedForward:
    block = architecture.blocks[1]
    assert isinstance(block, FeedForward)
    return block


def with_dead_units(units: Any) -> Architecture:
    """A transformer; `units` of its first feed-forward block have subnormal weights alone."""
    architecture = network("transformer")
    block = feed_forward_of(architecture)
    for layer in (block.linear, block.gate):
        layer.weights[:, units] = SUBNORMAL
    block.out.weights[units] = -SUBNORMAL
    return architecture


def outputs(architecture: Architecture) -> Any:
    spatial, globals_, _ = positions(architecture, np.random.default_rng(2), 1, 5, 6)
    return plain_forward.forward(architecture, spatial[0], globals_[0])


def test_dead_units_are_left_out_and_change_nothing() -> None:
    architecture = with_dead_units(DEAD)
    found = without_dead_weights(architecture)
    check(found)
    before, after = feed_forward_of(architecture), feed_forward_of(found)
    alive = np.delete(np.arange(17), DEAD)
    assert (after.linear.weights == before.linear.weights[:, alive]).all()
    assert (after.gate.weights == before.gate.weights[:, alive]).all()
    assert (after.out.weights == before.out.weights[alive]).all()
    for first, second in zip(outputs(architecture), outputs(found), strict=True):
        np.testing.assert_allclose(first, second, rtol=1e-12)


@pytest.mark.parametrize("part", ["linear", "gate", "out"])
def test_a_unit_with_one_living_weight_stays(part: str) -> None:
    architecture = with_dead_units(DEAD)
    weights = getattr(feed_forward_of(architecture), part).weights
    (weights if part == "out" else weights.T)[3, 5] = 1e-20
    assert feed_forward_of(without_dead_weights(architecture)).linear.outputs == 15


def test_a_block_of_dead_units_keeps_one() -> None:
    found = without_dead_weights(with_dead_units(slice(None)))
    check(found)
    block = feed_forward_of(found)
    assert block.linear.weights.shape == (12, 1)
    assert not block.out.weights.any()


def test_a_network_without_dead_weights_stays_as_it_is() -> None:
    architecture = network("transformer among convolutions")
    found = without_dead_weights(architecture)
    assert digest_of(found) == digest_of(architecture)


@pytest.mark.parametrize("name", ["version 14, nested", "transformer among convolutions"])
def test_the_least_weights_of_every_part_become_zero(name: str) -> None:
    architecture = network(name)
    for _, array in arrays(architecture):
        array.flat[0], array.flat[1] = 9e-31, -1.1e-30
    for (path, found), (_, drawn) in zip(
        arrays(without_dead_weights(architecture)), arrays(architecture), strict=True
    ):
        assert found.flat[0] == 0, path
        assert (found.flat[1:] == drawn.flat[1:]).all(), path


@pytest.mark.parametrize("kind", ["katago", "sparring"])
def test_files_are_read_without_dead_weights(kind: str, tmp_path: Path) -> None:
    architecture, path = with_dead_units(DEAD), tmp_path / "network"
    planes = architecture.planes.weights
    architecture.globals.weights[2, 3] = SUBNORMAL
    feed_forward_of(architecture).norm.scale[4] = SUBNORMAL
    if kind == "katago":
        path.write_bytes(katago_file(architecture))
    else:
        write_sparring(path, architecture, {})
    found = read_network(path)
    assert feed_forward_of(found).linear.outputs == 14
    assert found.globals.weights[2, 3] == feed_forward_of(found).norm.scale[4] == 0
    np.testing.assert_allclose(found.planes.weights, planes, atol=1e-3)


def test_katagos_transformer_loses_its_dead_weights(katago_data: Path) -> None:
    found = read_katago(katago_data / "b10c384h6nbttflrs.bin.gz")
    inner = [
        block for outer in found.blocks if isinstance(outer, Bottleneck) for block in outer.blocks
    ]
    units = [block.linear.outputs for block in inner if isinstance(block, FeedForward)]
    assert len(units) == 20
    assert sum(units) == 20 * 512 - 774
    tiny = np.finfo(np.float32).tiny
    assert not any(((array != 0) & (np.abs(array) < tiny)).any() for _, array in arrays(found))


def test_the_digest_tells_heads_of_other_numbers_apart() -> None:
    architecture = network("transformer")
    block = architecture.blocks[0]
    assert isinstance(block, Attention)
    block = replace(block, rotations=None)
    first = replace(architecture, blocks=(block,))
    second = replace(architecture, blocks=(replace(block, heads=4, key_heads=4),))
    third = replace(architecture, blocks=(replace(block, heads=4, key_heads=2),))
    assert len({digest_of(each) for each in (first, second, third)}) == 3


def test_the_trunk_is_described_in_words() -> None:
    trunk = describe(network("transformer, shared keys")).trunk
    assert trunk == "4 blocks x 12 channels, 2 attention layers of 6 heads"
    trunk = describe(network("transformer among convolutions")).trunk
    assert trunk == "4 blocks x 12 channels, 3 attention layers of 4 heads"
    assert describe(network("version 8")).trunk == "3 blocks x 12 channels"
    architecture = network("transformer")
    wider = network("transformer, shared keys").blocks
    both = replace(architecture, blocks=(*architecture.blocks, *wider))
    assert len(list(attention_layers(both.blocks))) == 4
    assert describe(both).trunk == "8 blocks x 12 channels, 4 attention layers of 2 or 6 heads"
