"""A grown student: the outputs of the smaller one, and new weights that learn."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import torch

from engine.networks.torch_model import TorchNetwork
from engine.training.go.growth import grown
from engine.training.go.student import Totals, new_student, student_shape

SMALL = replace(new_student("small", student_shape(2, 12), 3), totals=Totals(5.0, 70, 8, 9))


def outputs_of(network: TorchNetwork, *, training: bool = False) -> list[torch.Tensor]:
    """Returns all outputs for the same four rows."""
    generator = torch.Generator().manual_seed(4)
    planes = (torch.rand(4, 22, 7, 7, generator=generator) < 0.2).float()
    return list(network.train(training)(planes, torch.randn(4, 19, generator=generator)))


def test_a_grown_student_computes_the_same() -> None:
    larger = grown(SMALL, 5, 20, seed=1)
    assert larger.name == "sparring-go-b5c20"
    assert (larger.origin, larger.totals) == ("small", SMALL.totals)
    assert (len(larger.shape.blocks), larger.shape.channels) == (5, 20)
    with torch.no_grad():
        for part, other in zip(outputs_of(larger.network), outputs_of(SMALL.network), strict=True):
            torch.testing.assert_close(part, other, atol=1e-5, rtol=1e-5)


def test_the_new_weights_learn() -> None:
    larger = grown(SMALL, 3, 16, seed=1).network
    losses = [part.square().sum() for part in outputs_of(larger, training=True)]
    names = ("blocks.2.last.weight", "blocks.0.last.weight", "value.first.weight")
    block, inner, head = torch.autograd.grad(
        torch.stack(losses).sum(), [larger.get_parameter(name) for name in names]
    )
    new = {
        "the last convolution of a new block": block,
        "an old output from a new channel": inner[:12, 12:],
        "a head from a new channel": head[:, 12:],
    }
    assert all(part.abs().sum() > 0 for part in new.values())


def test_a_student_of_the_size_stays_as_it_is() -> None:
    assert grown(SMALL, 2, 12, seed=1) is SMALL
    assert grown(SMALL, 1, 6, seed=1) is SMALL


def test_the_players_ranks_stay_an_input() -> None:
    ranked = new_student("ranked", replace(student_shape(2, 12), metadata=192), 3)
    larger = grown(ranked, 2, 20, seed=1)
    profile = torch.from_numpy(np.eye(192, dtype=np.float32)[:2])
    small, large = (
        student.network.eval()(torch.zeros(2, 22, 7, 7), torch.zeros(2, 19), profile).value
        for student in (ranked, larger)
    )
    torch.testing.assert_close(small, large, atol=1e-5, rtol=1e-5)
    assert not torch.equal(small[0], small[1])
