"""Liang's double DQN as an agent: the legal move of the greatest value by its network.

This module loads the networks of engine.networks.double_dqn; loading imports torch.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from engine.games.position import Position
from engine.values import Choice

if TYPE_CHECKING:
    from engine.networks.double_dqn import DoubleDqn


class GreedyDqn:
    """An Agent of the greatest value by a file's networks; it draws among equal moves."""

    def __init__(self, text: str, networks: DoubleDqn, seed: int) -> None:
        self.text = text
        self._networks = networks
        self._rng = np.random.default_rng(seed)

    def begin(self, seed: int) -> None:
        """Starts a new game."""
        self._rng = np.random.default_rng(seed)

    def choose(self, position: Position) -> Choice:
        """Returns the legal move of the greatest value.

        Raises ValueError without a move, or on a board without trained networks.
        """
        legal = position.legal_moves()
        if not legal:
            raise ValueError("the game is over: there is no move to choose")
        if legal == [position.pass_move]:
            return Choice(position.pass_move, "must pass")
        values = self._networks.values(position).numpy()[legal]
        move = legal[self._rng.choice(np.flatnonzero(values == values.max()))]
        return Choice(move, f"value {values.max():+.2f}")

    def finish(self, position: Position) -> None:
        """Does nothing: the networks stay as they are."""


def load_greedy_dqn(text: str, argument: str, seed: int) -> GreedyDqn:
    """Returns the agent of a file. Raises ValueError quoting a file without such networks."""
    if not argument:
        raise ValueError(f"agent {text!r} needs a file of networks after the colon")
    from engine.networks.double_dqn import read_double_dqn  # noqa: PLC0415 - torch, for it alone

    return GreedyDqn(text, read_double_dqn(Path(argument)), seed)
