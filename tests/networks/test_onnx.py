"""Networks as ONNX files: OpenVINO reads them and gives the outputs of our own network."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import onnx
import pytest
import torch

from engine.games.evaluator import MISC_OUTPUTS
from engine.networks.lc0 import read_lc0
from engine.networks.onnx_model import write_onnx
from engine.networks.quiet_openvino import ov
from engine.networks.torch_model import TorchNetwork
from tests.support.networks import lc0_writer
from tests.support.networks.shapes import SHAPES, network, positions
from tests.support.networks.transformers import TRANSFORMERS

TOLERANCE = 2e-4
SIZES = [(7, 7), (6, 9)]  # height, width


@pytest.mark.parametrize("name", [*SHAPES, *TRANSFORMERS])
def test_openvino_finds_our_outputs_in_the_file(name: str, tmp_path: Path) -> None:
    architecture = network(name)
    path = tmp_path / "network.onnx"
    write_onnx(path, architecture)
    hints = {"INFERENCE_PRECISION_HINT": "f32"}
    compiled = ov.Core().compile_model(path, "CPU", hints)
    model = TorchNetwork(architecture).freeze()
    rng = np.random.default_rng(2)
    for count, (height, width) in enumerate(SIZES, start=2):
        spatial, globals_, metadata = positions(architecture, rng, count, height, width)
        optimism = rng.random(count).astype(np.float32)
        given = {"spatial": spatial.astype(np.float32), "globals": globals_}
        if architecture.metadata:
            given["metadata"] = metadata
        if architecture.board_policy.channels > 1:
            given["optimism"] = optimism
        found = compiled(given)
        expected = model(*map(torch.from_numpy, (given["spatial"], globals_, metadata)))
        policy = expected.policy[:, 0].numpy()
        if architecture.board_policy.channels > 1:
            second = expected.policy[:, 1].numpy()
            policy = policy + optimism[:, None] * (second - policy)
        wanted = (policy, expected.value, expected.misc, expected.ownership)
        assert expected.misc.shape == (count, MISC_OUTPUTS)
        for output, values in zip(("policy", "value", "misc", "ownership"), wanted, strict=True):
            np.testing.assert_allclose(
                found[output], np.asarray(values), atol=TOLERANCE, rtol=TOLERANCE, err_msg=output
            )


def test_the_file_holds_the_scales_of_its_outputs(tmp_path: Path) -> None:
    path = tmp_path / "network.onnx"
    write_onnx(path, network("connect4"))
    told = {entry.key: entry.value for entry in onnx.load(path).metadata_props}
    assert (told["game"], told["version"]) == ("connect4", "8")
    assert json.loads(told["multipliers"])["score_mean"] == 20.0


@pytest.mark.parametrize("kind", ["squeezed", "old"])
def test_openvino_finds_lc0s_outputs_in_the_file(kind: str, tmp_path: Path) -> None:
    architecture = read_lc0(lc0_writer.write(tmp_path / "net.pb.gz", lc0_writer.SHAPES[kind]))
    path = tmp_path / "network.onnx"
    write_onnx(path, architecture)
    compiled = ov.Core().compile_model(path, "CPU", {"INFERENCE_PRECISION_HINT": "f32"})
    spatial = (np.random.default_rng(2).random((2, 112, 8, 8)) < 0.1).astype(np.float32)
    globals_ = np.zeros((2, 1), np.float32)
    found = compiled({"spatial": spatial, "globals": globals_})
    expected = TorchNetwork(architecture).freeze()(*map(torch.from_numpy, (spatial, globals_)))
    np.testing.assert_allclose(found["policy"], expected.policy[:, 0].numpy(), atol=TOLERANCE)
    np.testing.assert_allclose(found["value"], expected.value.numpy(), atol=TOLERANCE)
