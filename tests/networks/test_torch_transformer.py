"""Transformers in torch at half precision: the trunk stays float32, the padding outside."""

from __future__ import annotations

from contextlib import AbstractContextManager, nullcontext

import numpy as np
import pytest
import torch
from torch import Tensor, nn

from engine.networks.torch_backend import PRECISIONS
from engine.networks.torch_model import TorchNetwork
from engine.networks.torch_transformer import AttentionBlock, FeedForwardBlock
from tests.support.networks import plain_forward
from tests.support.networks.shapes import network, positions
from tests.support.networks.transformers import TRANSFORMERS

NEARNESS = {"bf16": 0.05, "fp16": 0.01, "autocast": 0.05}  # in parts of the largest output
SIDE = 11  # of the padded boards
BOARD = 5, 8  # height, width


def frozen(name: str, precision: str) -> tuple[TorchNetwork, AbstractContextManager[object]]:
    model = TorchNetwork(network(name))
    if precision == "autocast":
        return model.eval(), torch.autocast("cpu", torch.bfloat16)
    return model.freeze(PRECISIONS[precision]), nullcontext()


@pytest.mark.parametrize("precision", NEARNESS)
@pytest.mark.parametrize("name", TRANSFORMERS)
def test_half_precision_is_near_on_padded_boards_with_a_trunk_of_float32(
    name: str, precision: str
) -> None:
    height, width = BOARD
    architecture = network(name)
    spatial, globals_, metadata = positions(
        architecture, np.random.default_rng(5), 1, height, width
    )
    padded = torch.zeros(1, architecture.planes.inputs, SIDE, SIDE)
    padded[:, :, :height, :width] = torch.tensor(spatial)
    mask = torch.zeros(1, 1, SIDE, SIDE)
    mask[:, :, :height, :width] = 1
    model, cast = frozen(name, precision)
    dtypes = []

    def watch(_: nn.Module, inputs: tuple[Tensor, ...], output: Tensor) -> None:
        dtypes.append((inputs[0].dtype, output.dtype))

    for block in model.blocks:
        block.register_forward_hook(watch)
    with torch.no_grad(), cast:
        found = model(padded.to(PRECISIONS.get(precision)), torch.tensor(globals_), None, mask)
    assert set(dtypes) == {(torch.float32, torch.float32)}
    expected = plain_forward.forward(architecture, spatial[0], globals_[0], metadata[0])
    policy, value, _, ownership = expected
    moves = found.policy[0, 0, :-1].reshape(SIDE, SIDE)[:height, :width].flatten()
    points = found.ownership[0].reshape(SIDE, SIDE)[:height, :width].flatten()
    for actual, wanted in ((moves, policy[:-1]), (found.value[0], value), (points, ownership)):
        apart = np.abs(actual.float().numpy() - wanted).max()
        assert 0 < apart < NEARNESS[precision] * np.abs(wanted).max()


@pytest.mark.parametrize("name", TRANSFORMERS)
def test_every_weight_of_the_blocks_is_trained(name: str) -> None:
    model = TorchNetwork(network(name)).train()
    spatial, globals_, _ = positions(model.architecture, np.random.default_rng(6), 3, 4, 5)
    found = model(torch.tensor(spatial).float(), torch.tensor(globals_))
    (found.policy.square().sum() + found.value.square().sum()).backward()
    blocks = [part for part in model.modules() if isinstance(part, AttentionBlock)]
    assert blocks
    for part in model.modules():
        if isinstance(part, AttentionBlock | FeedForwardBlock):
            for path, weight in part.named_parameters():
                assert weight.grad is not None, path
                assert weight.grad.abs().max() > 0, path


def test_a_frozen_network_turns_boards_of_several_sizes() -> None:
    name = "transformer"
    architecture = network(name)
    model = TorchNetwork(architecture).freeze()
    rng = np.random.default_rng(7)
    for height, width in ((3, 7), (7, 3), (3, 7)):
        spatial, globals_, metadata = positions(architecture, rng, 1, height, width)
        found = model(torch.tensor(spatial).float(), torch.tensor(globals_))
        policy, *_ = plain_forward.forward(architecture, spatial[0], globals_[0], metadata[0])
        np.testing.assert_allclose(found.policy[0, 0], policy, atol=2e-4, rtol=2e-4)
