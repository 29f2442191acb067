"""The profile input of a network that learns who plays: the ranks of both sides, and no more.

The input has the layout of KataGo's human networks (engine.networks.human_profile), and only the
inputs of the ranks are learned: the weights of all others stay 0. In play the profile may thus hold
a date, a source and a time control.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import torch
from torch import Tensor

from engine.networks.fresh import fresh_architecture
from engine.networks.human_profile import INPUTS, RANK, RANK_INPUTS
from engine.networks.torch_model import Encoder, TorchNetwork
from engine.training.go.student import Student

PLAYERS = 2
RANKS = slice(RANK, RANK + PLAYERS * RANK_INPUTS)
SEED = 88_000_000


def profiles_of(ranks: Tensor) -> Tensor:
    """Returns the profile inputs float32 [n, 192] of ranks [n, 2], those of the ranks alone.

    The ranks are of the side to move and its opponent; 0 is an unknown one, without any input.
    """
    profiles = ranks.new_zeros(len(ranks), INPUTS, dtype=torch.float32)
    steps = torch.arange(RANK_INPUTS, device=ranks.device)
    profiles[:, RANKS] = (ranks[:, :, None] - steps).clamp(0, 1).flatten(1).float()
    return profiles


def strongest(rows: int) -> Tensor:
    """Returns ranks float32 [rows, 2] of 9 dans."""
    return torch.ones(rows, PLAYERS)


def with_rank_inputs(student: Student) -> Student:
    """Returns the student with an encoder of the players' ranks, and the same outputs as before.

    The encoder's last layer begins at 0. A student with an encoder stays as it is.
    """
    if student.shape.metadata:
        return student
    shape = replace(student.shape, metadata=INPUTS)
    drawn = fresh_architecture(student.name, shape, np.random.default_rng(SEED)).metadata
    if drawn is None:
        raise ValueError("a shape with a profile input has an encoder")
    first = np.zeros_like(drawn.first.weights)
    first[RANKS] = drawn.first.weights[RANKS]
    encoder = replace(
        drawn,
        first=replace(drawn.first, weights=first),
        last=replace(drawn.last, weights=np.zeros_like(drawn.last.weights)),
    )
    network = TorchNetwork(replace(student.network.architecture, metadata=encoder))
    state = {f"encoder.{name}": part for name, part in Encoder(encoder).state_dict().items()}
    network.load_state_dict(student.network.state_dict() | state)
    return replace(student, network=network, shape=shape)
