"""KataGo's transformer networks: read correctly, or refused with the layer and the reason."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from engine.networks.architecture import (
    Architecture,
    Attention,
    Bottleneck,
    FeedForward,
    Linear,
    NetworkFileError,
    Normalization,
    RmsNormalization,
    RmsTip,
)
from engine.networks.checks import check
from engine.networks.katago import read_katago
from engine.networks.runtime import read_network
from tests.support.networks.katago_writer import katago_file
from tests.support.networks.shapes import network


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
    assert (found.name, found.version, found.board_policy.channels) == (name, version, 2)
    attention = blocks_of(found.blocks, Attention)
    layers = 20 if name.startswith("b10") else 7
    assert len(attention) == len(blocks_of(found.blocks, FeedForward)) == layers
    for block in attention:
        assert (block.heads, block.key_heads, block.width, block.value_width) == heads
        assert block.rotations.shape == (block.key_heads, block.width // 2, 2)
    assert isinstance(found.tip, tip)
    assert getattr(found.tip, "spatial", False) == (name == "b10c384h6nbttflrs")


def content_of(name: str, *, text: bool = False) -> bytes:
    return katago_file(network(name), text=text, zipped=False)


LEARNED = "transformer, shared keys"
FIXED = "transformer of version 17, fixed rotations, four policies"
CONTENTS = {
    (name, text): content_of(name, text=text) for name in (LEARNED, FIXED) for text in (True, False)
}
ATTENTION = b"transformer_attention_block block0/attention "
FEED_FORWARD = b"transformer_ffn_block block0/feed-forward "
TABLE = b"block0/attention/rotation "


def refused(tmp_path: Path, content: bytes) -> str:
    """The reason of the refusal, without the file's name."""
    path = tmp_path / "network.bin"
    path.write_bytes(content)
    with pytest.raises(NetworkFileError) as raised:
        read_network(path)
    file, _, reason = str(raised.value).partition(": ")
    assert file == str(path)
    return reason


@pytest.mark.parametrize("text", [False, True], ids=["bin", "txt"])
@pytest.mark.parametrize(
    ("name", "change", "reason"),
    [
        (
            FIXED,
            (b"policies 17 22", b"policies 18 22"),
            "the header: model version 18 needs a newer program, 17 is the newest supported one",
        ),
        (
            LEARNED,
            (b"0 0 0 0 0 0 0 0\ntrunk", b"2 0 0 0 0 0 0 0\ntrunk"),
            "the header: version of the metadata encoder is 2, expected 0 to 1",
        ),
        (
            LEARNED,
            (b"0 0 0 0 0 0 0 0\ntrunk", b"0 2 0 0 0 0 0 0\ntrunk"),
            "the header: choice of pass-alive areas is 2, expected 0 to 1",
        ),
        (
            LEARNED,
            (b"0 0 0 0 0 0 0 0\ntrunk", b"0 0 0 0 0 0 0 3\ntrunk"),
            "the header: a reserved field is 3, expected 0: it needs a newer program",
        ),
        (
            LEARNED,
            (b"12 12 12 12\n0 0 0 0 0 0", b"12 12 12 12\n2 0 0 0 0 0"),
            "trunk trunk: kind of normalization at the tip is 2, expected 0 to 1",
        ),
        (
            LEARNED,
            (b"12 12 12 12\n0 0 0 0 0 0", b"12 12 12 12\n0 0 1 0 0 0"),
            "trunk trunk: a reserved field is 1, expected 0: it needs a newer program",
        ),
        (
            LEARNED,
            (b"transformer_ffn_block block0", b"transformer_moe_block block0"),
            "block 2 of the trunk: expected a kind of block, found 'transformer_moe_block'",
        ),
        (
            LEARNED,
            (ATTENTION + b"6 3 6 2 1 1", ATTENTION + b"6 4 6 2 1 1"),
            "attention block block0/attention: 4 key heads do not divide 6 heads",
        ),
        (
            LEARNED,
            (ATTENTION + b"6 3 6 2 1 1", ATTENTION + b"0 3 6 2 1 1"),
            "attention block block0/attention: number of heads is 0, expected 1 to 8192",
        ),
        (
            LEARNED,
            (ATTENTION + b"6 3 6 2 1 1", ATTENTION + b"6 3 5 2 1 1"),
            "attention block block0/attention: heads of 5 channels cannot be rotated, "
            "expected an even number",
        ),
        (
            FIXED,
            (ATTENTION + b"4 2 12 4 1 0", ATTENTION + b"4 2 10 4 1 0"),
            "attention block block0/attention: heads of 10 channels have no fixed rotations, "
            "expected a multiple of 4",
        ),
        (
            LEARNED,
            (ATTENTION + b"6 3 6 2 1 1", ATTENTION + b"6 3 6 2 2 1"),
            "attention block block0/attention: presence of rotations is 2, expected 0 to 1",
        ),
        (
            LEARNED,
            (ATTENTION + b"6 3 6 2 1 1", ATTENTION + b"6 3 6 2 1 2"),
            "attention block block0/attention: presence of learned rotations is 2, expected 0 to 1",
        ),
        (
            LEARNED,
            (b"block0/norm1 12 0.001", b"block0/norm1 12 0"),
            "RMS normalization block0/norm1: epsilon is 0, "
            "expected a finite number above 0, at most 1",
        ),
        (
            LEARNED,
            (b"block0/norm1 12 0.001", b"block0/norm1 12 1.5"),
            "RMS normalization block0/norm1: epsilon is 1.5, "
            "expected a finite number above 0, at most 1",
        ),
        (
            LEARNED,
            (b"block0/norm2 12 0.001", b"block0/norm2 12 nan"),
            "RMS normalization block0/norm2: epsilon is nan, "
            "expected a finite number above 0, at most 1",
        ),
        (
            LEARNED,
            (b"block0/query 12 36", b"block0/query 12 35"),
            "matrix block0/query: number of outputs is 35, expected 36",
        ),
        (
            LEARNED,
            (b"block0/key 12 18", b"block0/key 12 36"),
            "matrix block0/key: number of outputs is 36, expected 18",
        ),
        (
            LEARNED,
            (b"block0/value 12 6", b"block0/value 12 12"),
            "matrix block0/value: number of outputs is 12, expected 6",
        ),
        (
            LEARNED,
            (b"block0/out1 12 12", b"block0/out1 6 24"),
            "matrix block0/out1: number of inputs is 6, expected 12",
        ),
        (
            LEARNED,
            (TABLE + b"3 3 2", TABLE + b"6 3 2"),
            "rotation table block0/attention/rotation: number of key heads is 6, expected 3",
        ),
        (
            LEARNED,
            (TABLE + b"3 3 2", TABLE + b"3 6 2"),
            "rotation table block0/attention/rotation: number of pairs is 6, expected 3",
        ),
        (
            LEARNED,
            (TABLE + b"3 3 2", TABLE + b"3 3 1"),
            "rotation table block0/attention/rotation: number of axes is 1, expected 2",
        ),
        (
            FIXED,
            (TABLE + b"100.00000956600994", TABLE + b"0"),
            "rotation block0/attention/rotation: theta is 0, expected a finite number above 0",
        ),
        (
            FIXED,
            (TABLE + b"100.00000956600994", TABLE + b"-100"),
            "rotation block0/attention/rotation: theta is -100, expected a finite number above 0",
        ),
        (
            FIXED,
            (TABLE + b"100.00000956600994", TABLE + b"1e-300"),
            "rotation block0/attention/rotation: theta 1e-300 gives angles that are not finite",
        ),
        (
            LEARNED,
            (FEED_FORWARD + b"12 17 1", FEED_FORWARD + b"12 17 0"),
            "feed-forward block block0/feed-forward: it has no gate, "
            "and the file does not name the activation without one",
        ),
        (
            LEARNED,
            (FEED_FORWARD + b"12 17 1", FEED_FORWARD + b"12 16 1"),
            "matrix block0/linear: number of outputs is 17, expected 16",
        ),
        (
            LEARNED,
            (b"block0/gate 12 17", b"block0/gate 17 12"),
            "matrix block0/gate: number of inputs is 17, expected 12",
        ),
        (
            LEARNED,
            (b"block0/out2 17 12", b"block0/out2 12 17"),
            "matrix block0/out2: number of inputs is 12, expected 17",
        ),
        (
            FIXED,
            (b"\npolicy 4 0 0 0", b"\npolicy 3 0 0 0"),
            "policy head policy: number of policies is 3, expected 2 or 4",
        ),
        (
            FIXED,
            (b"\npolicy 4 0 0 0", b"\npolicy 2 0 0 0"),
            "convolution policy/moves: 4 outputs, expected 2 policies",
        ),
        (
            FIXED,
            (b"\npolicy 4 0 0 0", b"\npolicy 4 0 0 1"),
            "policy head policy: a reserved field is 1, expected 0: it needs a newer program",
        ),
        (
            FIXED,
            (b"\nvalue 0 0 0", b"\nvalue 0 -1 0"),
            "value head value: a reserved field is -1, expected 0: it needs a newer program",
        ),
    ],
)
def test_the_reason_names_layer_and_value(
    name: str, change: tuple[bytes, bytes], reason: str, text: bool, tmp_path: Path
) -> None:
    content = CONTENTS[name, text]
    assert content.count(change[0]) == 1
    assert refused(tmp_path, content.replace(*change)) == reason


def with_block(network_: Architecture, **changes: Any) -> Architecture:
    """The network with fields of its first attention replaced."""
    first, *rest = network_.blocks
    assert isinstance(first, Attention)
    return replace(network_, blocks=(replace(first, **changes), *rest))


def with_feed_forward(network_: Architecture, **changes: Any) -> Architecture:
    first, second, *rest = network_.blocks
    assert isinstance(second, FeedForward)
    return replace(network_, blocks=(first, replace(second, **changes), *rest))


def with_tip(network_: Architecture, **changes: Any) -> Architecture:
    assert isinstance(network_.tip, RmsTip)
    return replace(network_, tip=replace(network_.tip, **changes))


def zeros(*shape: int) -> Any:
    return np.zeros(shape, np.float32)


NORM = RmsNormalization("norm", zeros(12), 1e-6)


@pytest.mark.parametrize(
    ("change", "values", "reason"),
    [
        (with_block, {"heads": 0}, "block0/attention: 2 key heads do not divide 0 heads"),
        (with_block, {"key_heads": 0}, "block0/attention: 0 key heads do not divide 2 heads"),
        (with_block, {"heads": -2}, "block0/attention: 2 key heads do not divide -2 heads"),
        (with_block, {"heads": 1}, "block0/attention: 2 key heads do not divide 1 heads"),
        (with_block, {"heads": 6}, "block0/query: 8 outputs, expected a multiple of 6"),
        (with_block, {"query": Linear("q", zeros(11, 8))}, "q: 11 inputs, expected 12"),
        (with_block, {"key": Linear("k", zeros(12, 16))}, "k: 16 outputs, expected 8"),
        (with_block, {"key": Linear("k", zeros(8, 8))}, "k: 8 inputs, expected 12"),
        (with_block, {"value": Linear("v", zeros(12, 7))}, "v: 7 outputs, expected a multiple"),
        (with_block, {"value": Linear("v", zeros(12))}, r"v: weights of shape \(12,\)"),
        (with_block, {"out": Linear("o", zeros(12, 12))}, "o: 12 inputs, expected 8"),
        (with_block, {"out": Linear("o", zeros(8, 8))}, "o: 8 outputs, expected 12"),
        (with_block, {"out": Linear("o", zeros(8, 12), zeros(12))}, "o: a matrix .* has no bias"),
        (
            with_block,
            {"rotations": zeros(2, 2)},
            r"rotations of shape \(2, 2\) for 2 key heads of 4 channels",
        ),
        (with_block, {"rotations": zeros(1, 2, 2)}, "rotations of shape"),
        (with_block, {"rotations": zeros(2, 1, 2)}, "rotations of shape"),
        (with_block, {"norm": replace(NORM, scale=zeros(11))}, "norm: 11 channels, expected 12"),
        (with_block, {"norm": replace(NORM, scale=zeros(1, 12))}, "norm: weights of shape"),
        (with_block, {"norm": replace(NORM, epsilon=0.0)}, "norm: epsilon 0, expected above 0"),
        (with_block, {"norm": replace(NORM, epsilon=1.01)}, "norm: epsilon 1.01, expected"),
        (with_block, {"norm": replace(NORM, epsilon=float("nan"))}, "norm: epsilon nan"),
        (with_feed_forward, {"gate": Linear("g", zeros(12, 16))}, "g: 16 outputs, expected 17"),
        (with_feed_forward, {"linear": Linear("l", zeros(10, 17))}, "l: 10 inputs, expected 12"),
        (with_feed_forward, {"out": Linear("o", zeros(17, 10))}, "o: 10 outputs, expected 12"),
        (with_feed_forward, {"norm": replace(NORM, scale=zeros(17))}, "norm: 17 channels"),
        (with_tip, {"epsilon": -1.0}, "tip: epsilon -1, expected above 0 and at most 1"),
        (with_tip, {"scale": zeros(10)}, "tip: 10 channels, expected 12"),
        (with_tip, {"shift": zeros(10)}, "tip: 10 shifts, expected 12"),
        (with_tip, {"activation": "gelu"}, "tip: unknown activation 'gelu'"),
    ],
)
def test_parts_that_do_not_fit_are_refused_in_every_format(
    change: Any, values: dict[str, Any], reason: str
) -> None:
    check(network("transformer"))
    with pytest.raises(NetworkFileError, match=reason):
        check(change(network("transformer"), **values))


@pytest.mark.parametrize("name", ["transformer", "transformer among convolutions"])
def test_blocks_of_other_widths_than_their_surroundings_are_named(
    name: str, tmp_path: Path
) -> None:
    """A whole block of 10 channels in a trunk of 12."""
    narrow = network("transformer among convolutions").blocks[-1]
    assert isinstance(narrow, Bottleneck)
    architecture = network(name)
    for block in narrow.blocks[:2]:
        assert isinstance(block, Attention | FeedForward)
        content = katago_file(replace(architecture, blocks=(block,)))
        assert refused(tmp_path, content) == f"layer {block.norm.name}: 10 channels, expected 12"


def test_weights_that_become_infinite_are_refused(tmp_path: Path) -> None:
    content = content_of("version 8")
    place = content.index(b"tip 12 0.001 1 1")
    variance = place + content[place:].index(b"@BIN@") + 5 + 4 * 12 + len(b"\n@BIN@")
    content = content[:variance] + bytes(4 * 12) + content[variance + 4 * 12 :]
    content = content.replace(b"tip 12 0.001", b"tip 12 1e-60")
    assert refused(tmp_path, content) == (
        "normalization tip: its scale or shift is not a finite number"
    )


@pytest.mark.parametrize("name", [LEARNED, FIXED])
def test_weights_that_are_no_numbers_are_refused_in_every_part(name: str, tmp_path: Path) -> None:
    content = CONTENTS[name, False]
    places = [found.end() for found in re.finditer(b"@BIN@", content)]
    assert len(places) > 30
    for place in places:
        for value in (np.nan, np.inf):
            spoilt = content[:place] + np.float32(value).tobytes() + content[place + 4 :]
            assert "holds a weight that is not a finite number" in refused(tmp_path, spoilt)


@pytest.mark.parametrize("weight", [b"1e308", b"nan", b"-inf"])
def test_written_weights_beyond_float32_are_refused(weight: bytes, tmp_path: Path) -> None:
    content = re.sub(
        rb"\nplanes (.*)\n\S+ ", b"\nplanes \\1\n%b " % weight, CONTENTS[LEARNED, True]
    )
    assert weight in content
    reason = refused(tmp_path, content)
    assert reason == "convolution planes: holds a weight that is not a finite number"
