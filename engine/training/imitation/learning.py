"""A network that learns human moves of Othello games, batch by batch.

The module has the order of the positions, the schedule of the learning rate and the weights of the
losses. The files are in engine.training.imitation.human_run, the validation in .validation. The
positions and symmetries of a batch follow from the seed and the batch's number alone: a resumed run
equals an uninterrupted one.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor
from torch.nn import functional

from engine.networks.fresh import fresh_architecture
from engine.networks.torch_model import Outputs, TorchNetwork
from engine.training.common.convolution import use_core
from engine.training.common.measures import score_distances, total
from engine.training.common.optimizer import (
    adamw,
    part_of,
    prefixed,
    restore_state,
    set_rate,
    state_tensors,
)
from engine.training.common.policy_metrics import VALUE_LOSS, log_probabilities, value_metrics
from engine.training.go.student import shape_of
from engine.training.imitation.othello_games import OthelloGames
from engine.training.imitation.othello_rows import SYMMETRIES, HumanSamples, samples_of

GAME = "othello"
# Weight of each part in the loss, a nat or a unit of it. The policy is the purpose.
WEIGHTS = {
    "policy": 1.0,
    "value": 0.5,
    "ownership": 0.25,
    "score_mean": 0.02,
    "score_stdev": 0.01,
    "lead": 0.02,
}


@dataclass(frozen=True)
class HumanTrainingSettings:
    """The amount and the settings of learning."""

    batches: int = 10_000  # of the first round; later ones have half as many
    rounds: int = 1  # of the learning rate; it rises half as high in later ones
    batch: int = 256  # positions
    blocks: int = 4
    channels: int = 64
    learning_rate: float = 4e-3  # the highest
    weight_decay: float = 0.02
    warm_up_share: float = 0.03  # of a round, until the highest rate
    gradient_bound: float = 1.0  # norm
    seed: int = 1

    @property
    def all_batches(self) -> int:
        """Batches of all rounds."""
        return self.batches + (self.rounds - 1) * self._later

    @property
    def _later(self) -> int:
        return max(1, self.batches // 2)

    def rate(self, done: int) -> float:
        """Returns the learning rate after `done` batches: a fast rise, then a fall as a cosine.

        After Loshchilov and Hutter's warm restarts (https://arxiv.org/abs/1608.03983): a round
        leaves a finished network, and another one improves it.
        """
        length, highest = self.batches, self.learning_rate
        if done >= self.batches:
            length, highest = self._later, self.learning_rate / 2
            done = (done - self.batches) % length
        rising = (done + 1) / max(1.0, self.warm_up_share * length)
        return highest * min(1.0, rising) * (1 + math.cos(math.pi * done / length)) / 2


def losses(out: Outputs, samples: HumanSamples) -> dict[str, Tensor]:
    """Returns each part's mean over the batch, as scalars [] with gradients.

    The policy's mean is over the positions with a choice; a forced move has probability 1.
    """
    played = log_probabilities(out.policy[:, 0], samples.legal).gather(1, samples.move[:, None])
    choices = (samples.legal.sum(dim=1) > 1).sum().clamp_min(1)
    owner = functional.binary_cross_entropy_with_logits(
        2 * out.ownership.float(), (samples.ownership + 1) / 2, reduction="none"
    ).mean(dim=1)
    return {
        "policy": -played.sum() / choices,
        "value": value_metrics(out.value, samples.result)[VALUE_LOSS].mean(),
        "ownership": (owner * samples.owned).sum() / samples.owned.sum().clamp_min(1),
        **score_distances(out.misc, samples.score),
    }


class HumanLearner:
    """A network, its optimizer and its number of learned batches."""

    def __init__(
        self, settings: HumanTrainingSettings, games: OthelloGames, dtype: torch.dtype
    ) -> None:
        if len(games) < settings.batch:
            raise ValueError(f"{len(games)} positions do not make a batch of {settings.batch}")
        self.settings = settings
        self.games = games
        self.batches = 0
        name = f"sparring-othello8-human-b{settings.blocks}c{settings.channels}"
        shape = replace(shape_of(settings.blocks, settings.channels), game=GAME)
        fresh = fresh_architecture(name, shape, np.random.default_rng(settings.seed))
        network = TorchNetwork(fresh).to(memory_format=torch.channels_last)  # type: ignore[call-overload]
        self.network: TorchNetwork = use_core(network)
        self._dtype = dtype
        self._optimizer = adamw(self.network, settings.weight_decay)
        self._epoch, self._order = -1, np.zeros(0, np.int64)

    def answers(self, planes: Tensor, globals_: Tensor) -> Outputs:
        """Returns the outputs for planes uint8 [n, 5, 8, 8] and globals float32 [n, 3]."""
        laid_out = planes.to(self._dtype).contiguous(memory_format=torch.channels_last)
        out: Outputs = self.network(laid_out, globals_)
        return out

    def samples(self, number: int) -> HumanSamples:
        """Returns the batch [settings.batch] of a number, from 0.

        A position is in one of each epoch at most.
        """
        size, seed = self.settings.batch, self.settings.seed
        epoch, batch = divmod(number, len(self.games) // size)
        turns = np.random.default_rng((seed, number)).integers(0, SYMMETRIES, size)
        return samples_of(self.games, self._rows(epoch)[batch * size :][:size], turns)

    def learn(self) -> dict[str, Tensor]:
        """Learns the next batch; returns its losses, scalars []."""
        samples = self.samples(self.batches)
        set_rate(self._optimizer, self.settings.rate(self.batches))
        self.network.train()
        parts = losses(self.answers(samples.planes, samples.globals), samples)
        self._optimizer.zero_grad(set_to_none=True)
        total(parts, WEIGHTS).backward()  # type: ignore[no-untyped-call]
        torch.nn.utils.clip_grad_norm_(self.network.parameters(), self.settings.gradient_bound)
        self._optimizer.step()
        self.batches += 1
        return {name: part.detach() for name, part in parts.items()}

    def tensors(self) -> dict[str, Tensor]:
        """Returns the whole state of learning, tensors [...] by name."""
        return {
            **prefixed("network", self.network.state_dict()),
            **prefixed("optimizer", state_tensors(self._optimizer)),
        }

    def restore(self, tensors: dict[str, Tensor], batches: int) -> None:
        """Restores a learner's state from its tensors [...], after so many batches."""
        self.network.load_state_dict(part_of(tensors, "network"))
        restore_state(self._optimizer, part_of(tensors, "optimizer"))
        self.batches = batches

    def _rows(self, epoch: int) -> NDArray[np.int64]:
        """Returns the order of the positions in an epoch."""
        if epoch != self._epoch:
            rng = np.random.default_rng((self.settings.seed, epoch, len(self.games)))
            self._epoch, self._order = epoch, rng.permutation(len(self.games))
        return self._order
