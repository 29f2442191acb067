"""The optimizer of a network, and its state as tensors by name."""

from __future__ import annotations

from typing import Any

import torch
from torch import Tensor, nn


def adamw(network: nn.Module, weight_decay: float) -> torch.optim.AdamW:
    """Returns AdamW with decay of weights, but not of scales, shifts and biases.

    The rate is set later.
    """
    weights = list(network.parameters())
    groups: list[dict[str, Any]] = [
        {"params": [part for part in weights if part.ndim > 1]},
        {"params": [part for part in weights if part.ndim <= 1], "weight_decay": 0.0},
    ]
    return torch.optim.AdamW(groups, lr=0.0, betas=(0.9, 0.98), weight_decay=weight_decay)


def set_rate(optimizer: torch.optim.Optimizer, rate: float) -> None:
    """Sets the learning rate of all weights."""
    for group in optimizer.param_groups:
        group["lr"] = rate


def state_tensors(optimizer: torch.optim.Optimizer) -> dict[str, Tensor]:
    """Returns the optimizer's state of each weight, tensors [...] by names such as "0.exp_avg"."""
    return {
        f"{index}.{name}": part
        for index, state in optimizer.state_dict()["state"].items()
        for name, part in state.items()
    }


def restore_state(optimizer: torch.optim.Optimizer, tensors: dict[str, Tensor]) -> None:
    """Restores the state from tensors [...] by the names of state_tensors()."""
    state: dict[int, dict[str, Tensor]] = {}
    for name, part in tensors.items():
        index, _, what = name.partition(".")
        state.setdefault(int(index), {})[what] = part
    groups = optimizer.state_dict()["param_groups"]
    optimizer.load_state_dict({"state": state, "param_groups": groups})


def prefixed(prefix: str, tensors: dict[str, Tensor]) -> dict[str, Tensor]:
    """Returns the tensors [...], each name with the prefix."""
    return {f"{prefix}.{name}": part for name, part in tensors.items()}


def part_of(tensors: dict[str, Tensor], prefix: str) -> dict[str, Tensor]:
    """Returns the tensors [...] of a prefix, without it."""
    start = f"{prefix}."
    return {
        name.removeprefix(start): part for name, part in tensors.items() if name.startswith(start)
    }
