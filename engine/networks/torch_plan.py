"""One batch size of a network in torch: buffers on the host and on the device, and their run.

On a GPU the buffers of the host are pinned and those of the device keep their places, so that a
recorded graph computes each batch. On the CPU the network reads the host's buffers.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple, Protocol

import numpy as np
import torch
from torch import Tensor

from engine.games.evaluator import NetworkDescription
from engine.networks.buffers import INPUTS, OUTPUTS, Buffers
from engine.networks.torch_card import CudaCard
from engine.networks.torch_dropout import Dropout
from engine.networks.torch_model import TorchNetwork


class PlanKey(NamedTuple):
    """The key of a worker's plan."""

    height: int
    width: int
    batch: int
    damaged: bool  # at least one row has a dropout


class RowRange(Protocol):
    """Rows of a slot that are evaluated together."""

    slot: Buffers
    part: slice
    dropout: float
    dropout_seed: int  # of its first row

    @property
    def rows(self) -> int:
        """The number of the rows."""


class FrozenNetwork(NamedTuple):
    """A network ready to run."""

    model: TorchNetwork
    description: NetworkDescription
    device: torch.device
    dtype: torch.dtype  # of its convolutions and of the matrices of its blocks


class BatchPlan:
    """The buffers and the run of one batch size. For the thread of one worker."""

    def __init__(self, network: FrozenNetwork, card: CudaCard | None, key: PlanKey) -> None:
        """Records the run. `card` is None on the CPU."""
        self._model, self._dtype, self._card = network.model, network.dtype, card
        shapes = Buffers(network.description, key.width, key.height, key.batch)
        arrays = {name: getattr(shapes, name) for name in INPUTS + OUTPUTS}
        if key.damaged:
            arrays |= {"dropout": np.zeros(key.batch), "seed": np.zeros(key.batch, np.int64)}
        self._host = {}
        for name, array in arrays.items():
            host = torch.from_numpy(array)
            self._host[name] = host if card is None else card.pinned(host)
        self._arrays = {name: host.numpy() for name, host in self._host.items()}
        self._inputs = {
            name: host.to(network.device)
            for name, host in self._host.items()
            if name not in OUTPUTS
        }
        self._outputs: dict[str, Tensor] = {}
        if card is not None:
            self._compute, self._outputs = card.prepare(self._forward)

    def run(self, jobs: Sequence[RowRange]) -> None:
        """Evaluates the rows of the jobs, and copies their outputs to the slots."""
        for job, rows in _places(jobs):
            for name in INPUTS:
                self._arrays[name][rows] = getattr(job.slot, name)[job.part]
            if "dropout" in self._arrays:
                self._arrays["dropout"][rows] = job.dropout
                self._arrays["seed"][rows] = job.dropout_seed + np.arange(job.rows)
        if self._card is None:
            for name, output in self._forward().items():
                self._host[name].copy_(output)
        else:
            self._card.launch(self._send, self._compute, self._fetch)
            self._card.wait()
        for job, rows in _places(jobs):
            for name in OUTPUTS:
                getattr(job.slot, name)[job.part] = self._arrays[name][rows]

    def _send(self) -> None:
        for name, values in self._inputs.items():
            values.copy_(self._host[name], non_blocking=True)

    def _fetch(self) -> None:
        for name, output in self._outputs.items():
            self._host[name].copy_(output, non_blocking=True)

    @torch.inference_mode()
    def _forward(self) -> dict[str, Tensor]:
        inputs = self._inputs
        spatial = inputs["spatial"].to(self._dtype)
        spatial = spatial.contiguous(memory_format=torch.channels_last)
        dropout = None
        if "dropout" in inputs:
            dropout = Dropout(inputs["dropout"], inputs["seed"])
        raw = self._model(spatial, inputs["globals"], inputs["metadata"], dropout=dropout)
        policy = raw.policy[:, 0]
        if raw.policy.shape[1] > 1:
            policy = torch.lerp(policy, raw.policy[:, 1], inputs["optimism"][:, None])
        found = {
            "policy": policy,
            "value": raw.value,
            "misc": raw.misc,
            "ownership": raw.ownership,
        }
        # A copy to the host allocates memory for values that are not in one piece.
        return {name: values.contiguous() for name, values in found.items()}


def _places(jobs: Sequence[RowRange]) -> list[tuple[RowRange, slice]]:
    """Returns each job with its rows in the batch."""
    places = []
    first = 0
    for job in jobs:
        places.append((job, slice(first, first + job.rows)))
        first += job.rows
    return places
