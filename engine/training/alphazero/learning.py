"""A network that learns from rows: batches, steps, and the average of its latest weights.

The rows come from any game. The state of learning is a table of tensors, and the caller keeps it in
a file. Everything random comes from the seed of the call: the same state and seed give the same
weights.
"""

from __future__ import annotations

import copy
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Literal

import torch
from torch import Tensor

from engine.networks.torch_layers import MOMENTUM, Norm, fix_norms
from engine.networks.torch_model import Outputs, TorchNetwork
from engine.training.alphazero.losses import losses
from engine.training.common.convolution import use_core
from engine.training.common.measures import total
from engine.training.common.optimizer import (
    adamw,
    part_of,
    prefixed,
    restore_state,
    set_rate,
    state_tensors,
)
from engine.training.common.rows import SampleRows
from engine.training.common.turns import Turns

Losses = dict[str, float]

# Weight of each part in the loss, a nat or a unit of it.
WEIGHTS = {
    "policy": 1.0,
    "reply": 0.15,
    "value": 1.0,
    "ownership": 0.5,
    "score_mean": 0.06,
    "score_stdev": 0.03,
    "lead": 0.06,
}
UNSEEN_ROWS = 4096  # of an iteration's rows, at most, for the losses before they are learned
ROWS_AT_ONCE = 512
SGD_MOMENTUM = 0.9


@dataclass(frozen=True)
class LearningSettings:
    """The settings of learning."""

    optimizer: Literal["adamw", "sgd"] = "adamw"
    learning_rate: float = 1.5e-3
    warm_up: int = 100  # batches until the full learning rate
    weight_decay: float = 0.02
    batch: int = 256
    passes: float = 3.5  # mean number of draws of each row while it is in the window
    whole_window: bool = False  # every iteration draws each row of the window in each symmetry
    average: float = 0.998  # share of the averaged weights left by a batch; 0: the latest weights
    settling: int = 24  # batches for the averaged weights' statistics
    gradient_bound: float = 1.0  # norm; 0 is none
    closing_passes: float = 1.0  # over the window at the end of a run, with a falling rate
    weights: dict[str, float] = field(default_factory=lambda: dict(WEIGHTS))

    def rate(self, batch: int) -> float:
        """Returns the learning rate of a batch, numbered from 1."""
        return self.learning_rate * min(1.0, batch / max(1, self.warm_up))

    def batches(self, new: int, window: int, symmetries: int) -> int:
        """Returns the number of batches of an iteration with `new` new rows."""
        drawn = window * symmetries if self.whole_window else new * self.passes
        return max(1, round(drawn / self.batch))


class NetworkLearner:
    """A network, its optimizer and the average of its weights; the average plays."""

    def __init__(
        self,
        network: TorchNetwork,
        learning: LearningSettings,
        turns: Turns,
        dtype: torch.dtype,
        *,
        fixed_norms: bool = False,
    ) -> None:
        """fixed_norms: normalizations stay fixed, as a network read from a file requires."""
        self.learning = learning
        self.fixed_norms = fixed_norms
        self.network = use_core(network)
        self.averaged = copy.deepcopy(network)
        self.batches = 0
        self._turns = turns
        self._dtype = dtype
        self._optimizer = _optimizer(network, learning)

    def answers(self, network: TorchNetwork, rows: SampleRows) -> Outputs:
        """Returns the network's outputs for the rows."""
        planes = rows.planes.to(self._dtype).contiguous(memory_format=torch.channels_last)
        out: Outputs = network(planes, rows.globals)
        return out

    def learn(
        self,
        window: SampleRows,
        batches: int,
        seed: int,
        *,
        falling: bool = False,
        on_batch: Callable[[int], None] | None = None,
    ) -> Losses:
        """Learns from `batches` batches of the window; returns the mean of each loss.

        With `falling`, the learning rate falls to 0 on the way. `on_batch` receives each batch's
        number.
        """
        generator = torch.Generator().manual_seed(seed)
        sums: dict[str, Tensor] = {}
        for number, rows in enumerate(self._draw(window, batches, generator)):
            share = 1 - number / batches if falling else 1.0
            for name, part in self._step(rows, share).items():
                sums[name] = sums[name] + part if name in sums else part
            if on_batch is not None:
                on_batch(number + 1)
        if not self.fixed_norms:
            self._settle(window, generator)
        return {name: float(part) / batches for name, part in sums.items()}

    @torch.no_grad()
    def unseen_losses(self, rows: SampleRows, seed: int) -> Losses:
        """Returns the averaged network's losses on rows before they are learned.

        Empty before the first batch.
        """
        if not self.batches:
            return {}
        order = torch.randperm(rows.size, generator=torch.Generator().manual_seed(seed))
        chosen = rows.part(order[:UNSEEN_ROWS])
        self.averaged.eval()
        pieces = [
            self.answers(self.averaged, chosen.part(slice(first, first + ROWS_AT_ONCE)))
            for first in range(0, chosen.size, ROWS_AT_ONCE)
        ]
        out = Outputs(*(torch.cat(parts).float() for parts in zip(*pieces, strict=True)))
        return {name: float(part) for name, part in losses(out, chosen).items()}

    def tensors(self) -> dict[str, Tensor]:
        """Returns the whole state of learning, tensors [...] by name."""
        return {
            **prefixed("network", self.network.state_dict()),
            **prefixed("averaged", self.averaged.state_dict()),
            **prefixed("optimizer", state_tensors(self._optimizer)),
        }

    def restore(self, tensors: dict[str, Tensor], batches: int) -> None:
        """Restores a learner's state from its tensors [...], after so many batches."""
        self.network.load_state_dict(part_of(tensors, "network"))
        self.averaged.load_state_dict(part_of(tensors, "averaged"))
        restore_state(self._optimizer, part_of(tensors, "optimizer"))
        self.batches = batches

    def _draw(
        self, window: SampleRows, batches: int, generator: torch.Generator
    ) -> Iterator[SampleRows]:
        """Yields batches of turned rows: no row repeats a symmetry before all were drawn."""
        images = window.size * self._turns.count
        size = min(self.learning.batch, images)
        order, first = torch.randperm(images, generator=generator), 0
        for _ in range(batches):
            if first + size > images:
                order, first = torch.randperm(images, generator=generator), 0
            drawn = order[first : first + size]
            first += size
            rows = window.part(drawn // self._turns.count)
            yield self._turns.turned(rows, drawn % self._turns.count)

    def _step(self, rows: SampleRows, share: float) -> dict[str, Tensor]:
        """Learns one batch, at this share of the learning rate; returns its losses."""
        learning = self.learning
        self.batches += 1
        rate = learning.rate(self.batches) * share
        set_rate(self._optimizer, rate)
        self.network.train()
        if self.fixed_norms:
            fix_norms(self.network)
        parts = losses(self.answers(self.network, rows), rows)
        self._optimizer.zero_grad(set_to_none=True)
        total(parts, learning.weights).backward()  # type: ignore[no-untyped-call]
        if learning.gradient_bound:
            torch.nn.utils.clip_grad_norm_(self.network.parameters(), learning.gradient_bound)
        self._optimizer.step()
        self._average()
        return {name: part.detach() for name, part in parts.items()}

    @torch.no_grad()
    def _average(self) -> None:
        # At first the weights change too fast for a long average.
        kept = min(self.learning.average, self.batches / (self.batches + 10))
        averages: list[Tensor] = list(self.averaged.parameters())
        latest: list[Tensor] = list(self.network.parameters())
        torch._foreach_lerp_(averages, latest, 1 - kept if self.learning.average else 1.0)

    @torch.no_grad()
    def _settle(self, window: SampleRows, generator: torch.Generator) -> None:
        """Sets the averaged weights' own statistics, from some batches of the window."""
        norms = [part for part in self.averaged.modules() if isinstance(part, Norm)]
        for norm in norms:
            norm.mean.zero_()
            norm.variance.zero_()
        self.averaged.train()
        for rows in self._draw(window, self.learning.settling, generator):
            self.answers(self.averaged, rows)
        # The remaining weight of the initial zeros.
        missing = (1 - MOMENTUM) ** self.learning.settling
        for norm in norms:
            norm.mean.div_(1 - missing)
            norm.variance.div_(1 - missing)
        self.averaged.eval()


def _optimizer(network: TorchNetwork, learning: LearningSettings) -> torch.optim.Optimizer:
    decay = learning.weight_decay
    if learning.optimizer == "sgd":
        weights = network.parameters()
        return torch.optim.SGD(weights, lr=0.0, momentum=SGD_MOMENTUM, weight_decay=decay)
    return adamw(network, decay)
