"""A recipe: everything in a self-play run but the seed."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, replace
from typing import Any

import numpy as np

from engine.games.evaluator import ONE_BOARD
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
    """Everything in a run but the seed."""

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
    first_judge: bool  # iteration 0 is judged by the game's rollouts, not by random weights
    iterations: int  # the default of the command
    growth: Growth
    learning: LearningSettings
    rival: Rival = field(default_factory=Rival)
    # the count of Go games with weighted points; None: all count 1
    territory: Territory | None = None
    # the setting of DarkKnight that plays iteration 0 (engine/agents/dark_knight.py); None: none
    teacher: str | None = None

    def games_before(self, iteration: int) -> int:
        """Returns the number of games in the earlier iterations."""
        return self.first_games + (iteration - 1) * self.games if iteration else 0

    def numbers(self, iteration: int) -> range:
        """Returns the game numbers of an iteration."""
        return range(self.games_before(iteration), self.games_before(iteration + 1))

    def teacher_in(self, iteration: int) -> str | None:
        """Returns the setting of DarkKnight that plays an iteration; None: the network plays."""
        return self.teacher if iteration == 0 else None

    def shape(self) -> Shape:
        """Returns the network's shape.

        Its second policy is the reply's, for learning alone; a flat policy is the only one.
        """
        policies = 1 if self.game in ONE_BOARD else 2
        shape = replace(shape_of(self.blocks, self.channels), game=self.game, policies=policies)
        if self.pooled:
            return shape
        kind: BlockKind = "residual"
        return replace(shape, blocks=(kind,) * self.blocks, kernel=3)

    def network(self, name: str, seed: int) -> TorchNetwork:
        """Returns a network with random weights."""
        return TorchNetwork(fresh_architecture(name, self.shape(), np.random.default_rng(seed)))

    def values(self) -> dict[str, Any]:
        """Returns the recipe as plain values, without absent fields."""
        return {name: value for name, value in asdict(self).items() if value is not None}
