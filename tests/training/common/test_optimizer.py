"""Optimizers: decayed parameters, and a complete restored state."""

from __future__ import annotations

import copy

import torch
from torch import nn

from engine.training.common.optimizer import (
    adamw,
    part_of,
    prefixed,
    restore_state,
    set_rate,
    state_tensors,
)


def network() -> nn.Module:
    return nn.Sequential(nn.Linear(3, 4), nn.Linear(4, 2))


def step(learner: nn.Module, optimizer: torch.optim.Optimizer, seed: int) -> None:
    rows = torch.randn(5, 3, generator=torch.Generator().manual_seed(seed))
    optimizer.zero_grad()
    learner(rows).square().mean().backward()
    optimizer.step()


def test_weights_decay_and_biases_do_not() -> None:
    learner = network()
    before = copy.deepcopy(learner.state_dict())
    optimizer = adamw(learner, 0.5)
    set_rate(optimizer, 0.1)
    for part in learner.parameters():
        part.grad = torch.zeros_like(part)
    optimizer.step()
    for name, part in learner.state_dict().items():
        expected = before[name] * (0.95 if part.ndim > 1 else 1.0)
        torch.testing.assert_close(part, expected)


def test_learning_goes_on_alike_from_the_state() -> None:
    learner = network()
    optimizer = adamw(learner, 0.1)
    set_rate(optimizer, 0.1)
    step(learner, optimizer, 1)
    other = copy.deepcopy(learner)
    resumed = adamw(other, 0.1)
    set_rate(resumed, 0.1)
    restore_state(resumed, copy.deepcopy(state_tensors(optimizer)))
    for one, its in ((learner, optimizer), (other, resumed)):
        step(one, its, 2)
    for name, part in learner.state_dict().items():
        assert torch.equal(part, other.state_dict()[name]), name


def test_names_are_put_behind_a_prefix_and_found_again() -> None:
    one, other = {"a.b": torch.ones(1)}, {"b": torch.zeros(2)}
    both = {**prefixed("one", one), **prefixed("oneself", other)}
    assert list(both) == ["one.a.b", "oneself.b"]
    assert part_of(both, "one") == one
    assert part_of(both, "oneself") == other
