"""Network files: read correctly, or refused with the reason, quickly and in little memory."""

from __future__ import annotations

import gzip
import json
import re
import tracemalloc
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from safetensors.numpy import load_file, save_file

from engine.games.evaluator import NetworkDescription
from engine.networks.architecture import Architecture, NetworkFileError, arrays
from engine.networks.checks import check
from engine.networks.description import describe, digest_of
from engine.networks.katago import read_katago
from engine.networks.runtime import BackendError, load_evaluator, read_network
from engine.networks.sparring import FORMAT, read_card, read_sparring, write_sparring
from tests.support.networks.katago_writer import katago_file
from tests.support.networks.shapes import KATAGO_SHAPES, SHAPES, network
from tests.support.networks.transformers import TRANSFORMERS

MIB = 1 << 20


def saved(tmp_path: Path, content: bytes, name: str = "network.bin.gz") -> Path:
    path = tmp_path / name
    path.write_bytes(content)
    return path


def assert_same(found: Any, expected: Any, tolerance: float) -> None:
    for (path, array), (_, wanted) in zip(arrays(found), arrays(expected), strict=True):
        np.testing.assert_allclose(array, wanted, atol=tolerance, rtol=tolerance, err_msg=path)


@pytest.mark.parametrize("zipped", [True, False], ids=["gz", "plain"])
@pytest.mark.parametrize("text", [False, True], ids=["bin", "txt"])
@pytest.mark.parametrize("name", [*KATAGO_SHAPES, *TRANSFORMERS])
def test_katago_files_of_every_kind_are_read(
    name: str, text: bool, zipped: bool, tmp_path: Path
) -> None:
    expected = network(name)
    path = saved(tmp_path, katago_file(expected, text=text, zipped=zipped), "any name")
    found = read_network(path)
    as_katago = replace(expected, uses_doublings=True)  # KataGo trains all its networks so
    assert without_digest(found) == without_digest(as_katago)
    assert_same(found, as_katago, 1e-5)


def test_the_reference_network(katago_model: Path) -> None:
    found = describe(read_katago(katago_model))
    assert found.trunk == "6 blocks x 96 channels"
    assert (found.version, found.planes, found.globals, found.policies) == (8, 22, 19, 1)


def content_of(name: str = "version 8", **how: Any) -> bytes:
    return katago_file(network(name), **how)


def refused(tmp_path: Path, content: bytes, name: str = "network.bin.gz") -> str:
    """The reason of the refusal, with the file's name; checks time and memory."""
    path = saved(tmp_path, content, name)
    with pytest.raises(NetworkFileError) as raised:
        read_network(path)
    assert str(path) in str(raised.value)
    return str(raised.value)


BINARY = content_of(zipped=False)
ZIPPED = content_of()
TEXT = content_of(text=True, zipped=False)


@pytest.mark.parametrize("content", [BINARY, ZIPPED, TEXT], ids=["bin", "gz", "txt"])
def test_files_cut_anywhere_are_refused(content: bytes, tmp_path: Path) -> None:
    for cut in range(0, len(content) - 12, max(1, len(content) // 150)):
        refused(tmp_path, content[:cut])


@given(st.integers(0, len(ZIPPED) - 1), st.integers(1, 255))
@settings(max_examples=150, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_flipped_bits_of_an_archive_are_noticed(tmp_path: Path, place: int, flip: int) -> None:
    content = bytearray(ZIPPED)
    content[place] ^= flip
    path = saved(tmp_path, bytes(content))
    try:
        read_network(path)
    except NetworkFileError:
        return
    # Nothing but the archive's header (time, flags of the system) may differ unnoticed.
    assert place < 10


@given(st.binary(max_size=300))
@settings(max_examples=200, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_random_bytes_are_refused(tmp_path: Path, content: bytes) -> None:
    refused(tmp_path, content)
    refused(tmp_path, gzip.compress(content))


@given(st.integers(0, 400), st.binary(min_size=1, max_size=12))
@settings(max_examples=200, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_overwritten_headers_never_raise_anything_else(
    tmp_path: Path, place: int, piece: bytes
) -> None:
    content = BINARY[:place] + piece + BINARY[place + len(piece) :]
    path = saved(tmp_path, content)
    try:
        read_network(path)
    except NetworkFileError as error:
        assert str(path) in str(error)  # noqa: PT017 (a file may also still be good)


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ((b"version-8 8 22", b"version-8 7 22"), "model version 7 is too old"),
        ((b"version-8 8 22", b"version-8 18 22"), "model version 18 needs a newer program, 17 is"),
        ((b"version-8 8 22", b"version-8 eight 22"), "is this a KataGo network at all"),
        ((b"version-8 8 22", b"version-8 8 21"), "number of input planes is 21"),
        ((b"trunk 3 ", b"trunk 0 "), "number of blocks is 0"),
        ((b"trunk 3 ", b"trunk 99999999999999999999 "), "number of blocks is 999999"),
        ((b"ordinary_block", b"strange_block"), "expected a kind of block, found 'strange_block'"),
        ((b"planes 3 3 22 12", b"planes 3 4 22 12"), "kernel is 3x4"),
        ((b"planes 3 3 22 12", b"planes 3 3 22 13"), "expected"),
        ((b"planes 3 3 22 12", b"planes 19 19 8192 8192"), "planes: declares"),
        ((b"planes 3 3 22 12", b"planes 3 3 8192 800"), "declares .* more than the file can hold"),
        ((b"tip 12 0.001 1 1", b"tip 12 -1 1 1"), "epsilon is -1"),
        ((b"tip 12 0.001 1 1", b"tip 12 nan 1 1"), "epsilon is nan"),
        ((b"tip 12 0.001 1 1", b"tip 12 0.001 7 1"), "presence of a scale is 7"),
    ],
)
def test_the_reason_names_layer_expected_and_found(
    change: Any, reason: str, tmp_path: Path
) -> None:
    assert change[0] in BINARY
    assert re.search(reason, refused(tmp_path, BINARY.replace(change[0], change[1], 1)))


@pytest.mark.parametrize("value", [np.nan, np.inf])
def test_weights_that_are_no_numbers_are_refused(value: float, tmp_path: Path) -> None:
    place = BINARY.index(b"@BIN@") + 5
    content = BINARY[:place] + np.float32(value).tobytes() + BINARY[place + 4 :]
    assert "convolution planes: holds a weight that is not" in refused(tmp_path, content)


def test_more_after_the_end_is_refused(tmp_path: Path) -> None:
    assert "expected the end of the file" in refused(tmp_path, BINARY + b"\n more")


def test_a_layer_that_does_not_fit_the_next_is_named(tmp_path: Path) -> None:
    start = BINARY.index(b"block0/last 3 3 10 12")
    data = b"block0/last 3 3 10 13 1 1\n@BIN@" + bytes(4 * 9 * 10 * 13)
    rest = BINARY.index(b"gpool_block")
    content = BINARY[:start] + data + b"\n" + BINARY[rest:]
    assert "layer block0/last: 13 outputs, expected 12" in refused(tmp_path, content)


def test_a_bomb_costs_neither_time_nor_memory(tmp_path: Path) -> None:
    bombs = [
        gzip.compress(bytes(200 * MIB), 1),
        gzip.compress(b" " * (200 * MIB), 1),
        gzip.compress(b"a" * (200 * MIB), 1),
        gzip.compress(BINARY[: BINARY.index(b"@BIN@") + 5] + bytes(200 * MIB), 1),
    ]
    huge = BINARY.replace(b"planes 3 3 22 12", b"planes 3 3 4096 800", 1)
    bombs.append(gzip.compress(huge[: huge.index(b"@BIN@") + 5] + bytes(200 * MIB), 1))
    for bomb in bombs:
        path = saved(tmp_path, bomb)
        tracemalloc.start()
        with pytest.raises(NetworkFileError):
            read_network(path)
        _, peak = tracemalloc.get_traced_memory()
        tracemalloc.stop()
        assert peak < 150 * MIB


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (b"", "the file is empty"),
        (b"PK\x03\x04rest", "a zip archive"),
        (b"(;FF[4]GM[1])", "a game record"),
        (b"\x1f\x8b", "truncated or corrupt"),
        (b"<html>404 not found</html>", "is this a KataGo network at all"),
    ],
)
def test_other_files_are_recognized(content: bytes, reason: str, tmp_path: Path) -> None:
    assert reason in refused(tmp_path, content)


def test_missing_files_and_folders_are_refused(tmp_path: Path) -> None:
    for path in (tmp_path, tmp_path / "missing.bin.gz"):
        with pytest.raises(NetworkFileError, match="cannot be read"):
            read_network(path)


def without_digest(found: Architecture) -> NetworkDescription:
    """The description; files round weights, and their digest changes."""
    return replace(describe(found), digest="")


def test_a_digest_is_of_the_weights_alone(tmp_path: Path) -> None:
    first, path = network("othello"), tmp_path / "network.safetensors"
    write_sparring(path, first, {})
    found = read_network(path)
    write_sparring(path, replace(found, name="another name"), {"made": "again"})
    assert digest_of(read_network(path)) == digest_of(found) == describe(found).digest
    planes = found.planes.weights.copy()
    planes[0, 0, 0, 0] += 1
    other = replace(found, planes=replace(found.planes, weights=planes))
    assert digest_of(other) != digest_of(found)


@pytest.mark.parametrize("name", [*SHAPES, *TRANSFORMERS])
def test_our_own_format_keeps_a_network(name: str, tmp_path: Path) -> None:
    expected = network(name)
    path = tmp_path / "network.safetensors"
    write_sparring(path, expected, {"made": "in a test"})
    found = read_network(path)
    assert without_digest(found) == without_digest(expected)
    assert_same(found, expected, 1e-3)
    assert read_card(path) == {"made": "in a test"}


def test_weights_beyond_half_precision_are_not_written(tmp_path: Path) -> None:
    architecture = network("version 8")
    architecture.globals.weights[0, 0] = 1e6
    with pytest.raises(ValueError, match=r"globals\.weights: a weight does not fit"):
        write_sparring(tmp_path / "network.safetensors", architecture, {})


@pytest.fixture
def own_file(tmp_path: Path) -> Any:
    path = tmp_path / "own.safetensors"
    write_sparring(path, network("version 14, nested"), {})
    return path


def test_our_own_files_cut_anywhere_are_refused(own_file: Path, tmp_path: Path) -> None:
    content = own_file.read_bytes()
    for cut in range(9, len(content), len(content) // 60):
        refused(tmp_path, content[:cut], "cut.safetensors")


def header_of(path: Path) -> Any:
    with path.open("rb") as file:
        size = int.from_bytes(file.read(8), "little")
        return json.loads(file.read(size))["__metadata__"]


def changed(path: Path, tmp_path: Path, change: Any) -> bytes:
    """Our own file with its weights and header changed by `change(weights, architecture)`."""
    weights, header = load_file(path), header_of(path)
    architecture = json.loads(header["architecture"])
    change(weights, architecture)
    header["architecture"] = json.dumps(architecture)
    save_file(weights, tmp_path / "changed.safetensors", header)
    return (tmp_path / "changed.safetensors").read_bytes()


def drop(weights: dict[str, Any], _: Any) -> None:
    del weights["tip.scale"]


def add(weights: dict[str, Any], _: Any) -> None:
    weights["extra"] = np.zeros(3, np.float32)


def reshape(weights: dict[str, Any], _: Any) -> None:
    weights["tip.scale"] = np.zeros(5, np.float32)


def spoil(weights: dict[str, Any], _: Any) -> None:
    weights["tip.scale"][0] = np.nan


def rename(_: Any, architecture: dict[str, Any]) -> None:
    architecture["tip"]["activation"] = "gelu"


def strange(_: Any, architecture: dict[str, Any]) -> None:
    architecture["blocks"][0]["kind"] = "Transformer"


def field(_: Any, architecture: dict[str, Any]) -> None:
    del architecture["version"]


def flat(weights: dict[str, Any], architecture: dict[str, Any]) -> None:
    weights["planes.weights"] = weights["planes.weights"].ravel()
    architecture["planes"]["weights"]["shape"] = [weights["planes.weights"].size]


def other_game(_: Any, architecture: dict[str, Any]) -> None:
    architecture["game"] = "othello"


def no_game(_: Any, architecture: dict[str, Any]) -> None:
    architecture["game"] = "shogi"


def wrong_kind(_: Any, architecture: dict[str, Any]) -> None:
    architecture["tip"] = 7


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        (drop, "tip.scale: the weights are missing"),
        (add, "weights that belong nowhere"),
        (reshape, "tip.scale: shape"),
        (spoil, "tip.scale: holds a weight that is not"),
        (rename, "unknown activation 'gelu'"),
        (strange, "unknown kind of layer 'Transformer'"),
        (field, "Architecture needs the fields"),
        (flat, "not a usable network"),
        (wrong_kind, "not a usable network"),
        (other_game, "22 planes and 19 globals, expected 5 and 3 for othello"),
        (no_game, "unknown game 'shogi': one of go, othello, connect4"),
    ],
)
def test_our_own_files_that_do_not_hold_together_are_refused(
    change: Any, reason: str, own_file: Path, tmp_path: Path
) -> None:
    content = changed(own_file, tmp_path, change)
    assert reason in refused(tmp_path, content, "changed.safetensors")


def test_files_older_than_the_other_games_are_of_go(own_file: Path, tmp_path: Path) -> None:
    def older(_: Any, architecture: dict[str, Any]) -> None:
        del architecture["game"]

    content = changed(own_file, tmp_path, older)
    found = read_network(saved(tmp_path, content, "older.safetensors"))
    assert describe(found).game == "go"


@pytest.mark.parametrize(
    ("name", "game", "reason"),
    [("othello", "connect4", "5 planes and 3 globals"), ("go", "go", "passing is a move in go")],
)
def test_networks_that_do_not_fit_their_game_are_refused(name: str, game: str, reason: str) -> None:
    architecture = network("othello" if name == "othello" else "version 8")
    if name == "go":
        head = replace(architecture.board_policy, pass_output=None)
        architecture = replace(architecture, policy=head)
    with pytest.raises(NetworkFileError, match=reason):
        check(replace(architecture, game=game))


def test_other_safetensors_are_refused(tmp_path: Path) -> None:
    save_file({"a": np.zeros(3, np.float32)}, tmp_path / "other.safetensors")
    with pytest.raises(NetworkFileError, match=f"expected '{FORMAT}' in the header"):
        read_sparring(tmp_path / "other.safetensors")


@pytest.mark.parametrize(
    ("options", "reason"),
    [
        ({"backend": "abacus"}, "unknown backend 'abacus'"),
        ({"backend": "openvino", "precision": "fp8"}, "unknown precision 'fp8'"),
        ({"backend": "native", "precision": "fp16"}, "fp32.*, not in fp16"),
    ],
)
def test_missing_capabilities_are_reported(options: Any, reason: str, tmp_path: Path) -> None:
    path = saved(tmp_path, BINARY)
    with pytest.raises(BackendError, match=reason):
        load_evaluator(path, **options)
