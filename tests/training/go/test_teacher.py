"""Teachers: the engine's own arithmetic agrees with torch's, for rows in any order."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
import torch

from engine.networks.fresh import fresh_architecture
from engine.networks.one_policy import one_policy
from engine.networks.torch_model import TorchNetwork
from engine.training.go.distill import Machine
from engine.training.go.positions import PositionRows
from engine.training.go.run_settings import machine_of
from engine.training.go.samples import label
from engine.training.go.student import shape_of
from engine.training.go.teacher import teacher_of


def some_rows(rows: int, height: int, width: int) -> tuple[torch.Tensor, torch.Tensor]:
    generator = torch.Generator().manual_seed(rows)
    planes = torch.rand(rows, 22, height, width, generator=generator) < 0.2
    return planes.to(torch.uint8), torch.randn(rows, 19, generator=generator)


def test_a_teacher_on_the_processor_says_what_torch_says() -> None:
    architecture = fresh_architecture("a teacher", shape_of(2, 32), np.random.default_rng(1))
    reference = TorchNetwork(architecture).freeze()
    teacher = teacher_of(
        architecture, Machine(torch.device("cpu"), torch.float32, torch.float32), 1
    )
    kept = []
    for rows, height, width in ((3, 7, 7), (8, 7, 7), (2, 5, 9), (3, 7, 7)):
        planes, globals_ = some_rows(rows, height, width)
        # Teachers see boards that were turned and do not lie in memory as they did.
        planes = planes.flip(-1).transpose(-1, -2)
        said = teacher(planes, globals_)
        for part, other in zip(said, reference(planes.float(), globals_), strict=True):
            assert part.shape == other.shape
            torch.testing.assert_close(part, other, atol=0.08, rtol=0.05)  # bfloat16 where there is
        kept.append(said)
    for first, again in zip(kept[0], kept[-1], strict=True):
        assert torch.equal(first, again)  # not written over by what came between


def test_a_sample_has_the_plain_policy_of_a_teacher_with_an_optimistic_one() -> None:
    shape = replace(shape_of(2, 32), policies=2, version=12)
    both = fresh_architecture("a teacher", shape, np.random.default_rng(1))
    machine = Machine(torch.device("cpu"), torch.float32, torch.float32)
    planes, globals_ = some_rows(3, 7, 7)
    planes[:, 0] = 1
    rows = PositionRows(planes, globals_, torch.ones(3, 50, dtype=torch.uint8))
    found, plain, optimistic = (
        label(teacher_of(network, machine, 1), rows, [0])[0].policy.float()
        for network in (both, one_policy(both, 0), one_policy(both, 1))
    )
    torch.testing.assert_close(found, plain, atol=0.02, rtol=0.05)
    assert float((found - optimistic).abs().max()) > 0.1


def test_the_processor_learns_in_the_precision_it_has() -> None:
    machine = machine_of("cpu")
    assert machine.device.type == "cpu"
    network = TorchNetwork(fresh_architecture("x", shape_of(2, 32), np.random.default_rng(1)))
    planes, globals_ = some_rows(64, 9, 9)
    said = machine.answers(network.train(), planes, globals_)
    plain = TorchNetwork(network.export()).train()(planes.float(), globals_)
    # Heads and what they pool are in single precision whatever the convolutions are in.
    assert {part.dtype for part in said} == {torch.float32}
    for part, other in zip(said, plain, strict=True):
        spread = float(other.detach().std())
        assert float((part - other).detach().abs().mean()) < 0.05 * max(spread, 1e-3)


def test_an_unknown_device_is_refused() -> None:
    with pytest.raises(ValueError, match="no device 'abacus'"):
        machine_of("abacus")
