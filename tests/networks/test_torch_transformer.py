"""Transformers in torch at half precision: the trunk stays float32, the padding outside."""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import AbstractContextManager, nullcontext
from typing import NamedTuple

import numpy as np
import pytest
import torch
from torch import Tensor, nn

from engine.networks.torch_backend import PRECISIONS
from engine.networks.torch_layers import Norm
from engine.networks.torch_model import TorchNetwork
from engine.networks.torch_transformer import AttentionBlock, FeedForwardBlock, Rms, TipNorm
from tests.support.networks import plain_forward
from tests.support.networks.shapes import network, positions
from tests.support.networks.transformers import TRANSFORMERS

# In parts of the largest output.
NEARNESS = {"bf16": 0.05, "fp16": 0.01, "bf16 of a learner": 0.05, "autocast": 0.05}
SIDE = 11  # of the padded boards
BOARD = 5, 8  # height, width


def dtypes_of(parts: Iterable[nn.Module]) -> set[torch.dtype]:
    """The dtypes of the parts' outputs, once the network has run."""
    dtypes: set[torch.dtype] = set()

    def watch(_: nn.Module, _inputs: object, output: Tensor) -> None:
        dtypes.add(output.dtype)

    for part in parts:
        part.register_forward_hook(watch)
    return dtypes


def norms_of(model: TorchNetwork) -> list[nn.Module]:
    return [part for part in model.modules() if isinstance(part, Norm | Rms | TipNorm)]


class Run(NamedTuple):
    """A network with the dtype of its planes and the context for the forward pass."""

    model: TorchNetwork
    planes: torch.dtype
    context: AbstractContextManager[object]


def at(precision: str, model: TorchNetwork) -> Run:
    if precision == "autocast":
        return Run(model.eval(), torch.float32, torch.autocast("cpu", torch.bfloat16))
    if precision == "bf16 of a learner":
        return Run(model.eval(), torch.bfloat16, nullcontext())
    dtype = PRECISIONS[precision]
    return Run(model.freeze(dtype), dtype, nullcontext())


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
    model, planes, context = at(precision, TorchNetwork(architecture))
    trunk, normal = dtypes_of(model.blocks), dtypes_of(norms_of(model))
    with torch.no_grad(), context:
        found = model(padded.to(planes), torch.tensor(globals_), None, mask)
    assert trunk == {torch.float32}
    assert normal == {planes}
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
