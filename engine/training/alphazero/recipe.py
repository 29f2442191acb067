"""A recipe: everything but the seed that decides what a run of self-play comes to."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, replace
from typing import Any

import numpy as np

from engine.networks.fresh import BlockKind, Shape, fresh_architecture
from engine.networks.torch_model import TorchNetwork
from engine.training.alphazero.learning import LearningSettings
from engine.training.alphazero.strength import Rival
from engine.training.alphazero.window import Growth
from engine.training.go.student import shape_of
from engine.training.go.territory import Territory

Settings = Mapping[str, float | int | bool]


@dataclass(frozen=True)
class Recipe:
    """Everything but the seed that decides what a run comes to."""

    game: str  # a key of engine/games/table.py's GAMES
    width: int
    height: int
    blocks: int
    channels: int
    pooled: bool  # whether some blocks pool the whole board, and the first convolution is 5x5
    play: Settings  # fields of the core's SelfPlaySettings
    search: Settings  # fields of its SearchSettings
    games: int  # an iteration
    first_games: int  # of iteration 0
    first_judge: bool  # iteration 0 is judged by the game's quick games, not by random weights
    iterations: int  # unless told
    growth: Growth
    learning: LearningSettings
    rival: Rival = field(default_factory=Rival)
    territory: Territory | None = None  # by which games of Go are decided, where not all count 1

    def games_before(self, iteration: int) -> int:
        """How many games the iterations before have."""
        return self.first_games + (iteration - 1) * self.games if iteration else 0

    def numbers(self, iteration: int) -> range:
        """The games of an iteration."""
        return range(self.games_before(iteration), self.games_before(iteration + 1))

    def shape(self) -> Shape:
        """The network's; its second policy is the reply's, which only learning uses."""
        shape = replace(shape_of(self.blocks, self.channels), game=self.game, policies=2)
        if self.pooled:
            return shape
        kind: BlockKind = "residual"
        return replace(shape, blocks=(kind,) * self.blocks, kernel=3)

    def network(self, name: str, seed: int) -> TorchNetwork:
        """A network that knows nothing."""
        return TorchNetwork(fresh_architecture(name, self.shape(), np.random.default_rng(seed)))

    def told(self) -> dict[str, Any]:
        """The recipe as plain values; without what it does not have."""
        return {name: value for name, value in asdict(self).items() if value is not None}
