"""lc0's networks: agreement with an independent program, every kind of layer, faults in words."""

from __future__ import annotations

import gzip
import json
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from engine.networks.architecture import NetworkFileError, PlanePolicyHead
from engine.networks.description import describe
from engine.networks.lc0 import read_lc0
from engine.networks.runtime import load_evaluator, read_network
from tests.conftest import SHARED_DATA
from tests.support.networks import lc0_writer
from tests.support.networks.backends import compared_backends
from tests.support.networks.lc0_writer import SHAPES, Shape
from tests.support.networks.plain_forward import forward

MAIA = SHARED_DATA / "maia"


@pytest.fixture(scope="module")
def reference() -> Any:
    path = MAIA / "reference.json"
    if not path.exists():
        pytest.skip("needs Maia's networks in ../shared/data/maia")
    return json.loads(path.read_text())


def planes_of(entry: Any) -> NDArray[np.uint8]:
    """[112, 8, 8] of a reference position: rank by rank from the side to move."""
    planes = np.zeros((112, 64), np.uint8)
    for index, mask, value in entry["planes"]:
        planes[index] = [int(value) * (int(mask, 16) >> square & 1) for square in range(64)]
    return planes.reshape(112, 8, 8)


def softmax(logits: NDArray[Any]) -> NDArray[np.float64]:
    powers = np.exp(logits.astype(np.float64) - logits.max())
    return np.asarray(powers / powers.sum())


@pytest.mark.parametrize("backend", compared_backends())
def test_maia_agrees_with_an_independent_program(reference: Any, backend: str) -> None:
    for rating in reference["nets"]:
        path = MAIA / f"maia-{rating}.pb.gz"
        slot = load_evaluator(path, backend=backend, precision="fp32").open(8, 8, 2)
        for entry in reference["positions"]:
            slot.spatial[1] = planes_of(entry)
            slot.start(2)
            slot.wait()
            expected = entry["nets"][rating]
            win, loss, draw = softmax(slot.value[1])
            np.testing.assert_allclose([win, draw, loss], expected["wdl"], atol=1e-4)
            indices = list(entry["policy_index"].values())
            policy = [expected["policy"][move] for move in entry["policy_index"]]
            np.testing.assert_allclose(softmax(slot.policy[1][indices]), policy, atol=1e-4)


def test_maia_is_described(reference: Any) -> None:
    assert set(reference["nets"]) == {"1100", "1300", "1500", "1700", "1900"}
    network = describe(read_network(MAIA / "maia-1500.pb.gz"))
    assert (network.name, network.game) == ("maia-1500", "chess")
    assert network.trunk == "6 blocks x 64 channels"
    assert (network.policies, network.uses_metadata) == (1, False)


def some_planes() -> NDArray[np.uint8]:
    """[112, 8, 8] of zeros and ones, the last eight constant."""
    rng = np.random.default_rng(3)
    planes = (rng.random((112, 8, 8)) < 0.1).astype(np.uint8)
    planes[104:] = np.array([1, 0, 1, 1, 0, 57, 0, 1], np.uint8)[:, None, None]
    return planes


@pytest.mark.parametrize("backend", compared_backends())
@pytest.mark.parametrize("kind", SHAPES)
def test_each_kind_agrees_with_the_plain_forward_pass(
    kind: str, backend: str, tmp_path: Path
) -> None:
    path = lc0_writer.write(tmp_path / "net.pb.gz", SHAPES[kind])
    planes = some_planes()
    policy, value, *_ = forward(read_lc0(path), planes, np.zeros(1))
    slot = load_evaluator(path, backend=backend, precision="fp32").open(8, 8, 3)
    slot.spatial[:] = planes
    slot.start(3)
    slot.wait()
    for row in range(3):
        np.testing.assert_allclose(softmax(slot.value[row]), softmax(value), atol=1e-5)
        np.testing.assert_allclose(slot.policy[row], policy, atol=1e-4)
    assert np.ptp(policy) > 0.5


def test_a_single_value_is_win_less_loss(tmp_path: Path) -> None:
    head = read_lc0(lc0_writer.write(tmp_path / "net.pb.gz", SHAPES["plain"])).value
    assert head.value.bias is not None
    hidden = np.linspace(-1, 1, head.value.inputs)
    win, loss, draw = softmax(hidden @ head.value.weights + head.value.bias)
    arctanh = hidden @ head.value.weights[:, 0] + head.value.bias[0]
    assert win - loss == pytest.approx(np.tanh(arctanh), abs=1e-6)
    assert draw == 0


def test_the_numbers_of_a_file_are_read_as_lc0_reads_them(tmp_path: Path) -> None:
    """The batch normalization by hand: gamma / sqrt(variance + 1e-5), beta - mean * it."""
    shape = Shape(encoding=lc0_writer.FLOAT32)
    found = read_lc0(lc0_writer.write(tmp_path / "net.pb.gz", shape))
    rng = np.random.default_rng(0)
    weights = rng.normal(0, (112 * 9) ** -0.5, 8 * 112 * 9).astype(np.float32)
    mean = rng.normal(0, 0.3, 8)
    variance, gamma = rng.uniform(0.5, 2, 8), rng.uniform(0.5, 2, 8)
    beta = rng.normal(0, 0.3, 8)
    scale = gamma / np.sqrt(variance + 1e-5)
    expected = weights.reshape(8, 112, 3, 3) * scale[:, None, None, None]
    np.testing.assert_allclose(found.planes.weights, expected, rtol=1e-5)
    assert found.globals.bias is not None
    np.testing.assert_allclose(found.globals.bias, beta - scale * mean, atol=1e-6)
    assert isinstance(found.policy, PlanePolicyHead)
    assert found.policy.planes.outputs == 73


@pytest.mark.parametrize(
    ("shape", "message"),
    [
        (Shape(network=6), "networks with attention are not supported"),
        (Shape(network=134), "networks with attention are not supported"),
        (Shape(policy=3), "policy is by attention"),
        (Shape(input=3), "the kind of input is 3, expected 1"),
        (Shape(value=7), "the kind of value is 7"),
        (Shape(activation=2), "the activation is 2, expected 0 or 1"),
    ],
)
def test_unsupported_networks_are_refused_in_words(
    shape: Shape, message: str, tmp_path: Path
) -> None:
    path = lc0_writer.write(tmp_path / "net.pb.gz", shape)
    with pytest.raises(NetworkFileError, match=f"net.pb.gz: .*{message}"):
        read_network(path)


def test_the_format_of_text_and_onnx_are_refused_in_words(tmp_path: Path) -> None:
    path = tmp_path / "net.pb.gz"
    path.write_bytes(gzip.compress(b"2\n0.5 0.25\n"))
    with pytest.raises(NetworkFileError, match="older format of text"):
        read_network(path)
    net = lc0_writer.Lc0Writer(Shape()).net() + lc0_writer.data(11, b"model")
    path.write_bytes(gzip.compress(net))
    with pytest.raises(NetworkFileError, match="ONNX"):
        read_network(path)


def test_damaged_files_are_refused(tmp_path: Path) -> None:
    """Any cut, and any changed byte, gives a network or a NetworkFileError."""
    net = lc0_writer.Lc0Writer(replace(Shape(), blocks=1, channels=2)).net()
    path = tmp_path / "net.pb.gz"
    rng = np.random.default_rng(1)
    for cut in [*range(5, 60), *rng.integers(60, len(net) - 100, 40)]:
        path.write_bytes(gzip.compress(net[:cut], 1))
        with pytest.raises(NetworkFileError):
            read_network(path)
    for place in rng.integers(5, 400, 60):
        changed = bytearray(net)
        changed[place] ^= 1 << int(rng.integers(8))
        path.write_bytes(gzip.compress(bytes(changed), 1))
        with suppress(NetworkFileError):
            read_network(path)


def test_a_cut_archive_is_refused(tmp_path: Path) -> None:
    path = lc0_writer.write(tmp_path / "net.pb.gz", Shape())
    path.write_bytes(path.read_bytes()[:2000])
    with pytest.raises(NetworkFileError, match=r"net\.pb\.gz"):
        read_network(path)
