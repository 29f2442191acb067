"""Liang's double DQN as an agent: the most valued legal move of its color's network.

Knows where the networks come from, not what they are; torch is imported when one is loaded.
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
    """An Agent that plays greedily by the networks of a file; equals at random."""

    def __init__(self, text: str, networks: DoubleDqn, seed: int) -> None:
        self.text = text
        self._networks = networks
        self._rng = np.random.default_rng(seed)

    def begin(self, seed: int) -> None:
        """Start a new game."""
        self._rng = np.random.default_rng(seed)

    def choose(self, position: Position) -> Choice:
        """The most valued legal move; ValueError on a board that it was not trained for."""
        legal = position.legal_moves()
        if not legal:
            raise ValueError("the game is over: there is no move to choose")
        if legal == [position.pass_move]:
            return Choice(position.pass_move, "must pass")
        values = self._networks.values(position).numpy()[legal]
        move = legal[self._rng.choice(np.flatnonzero(values == values.max()))]
        return Choice(move, f"value {values.max():+.2f}")

    def finish(self, position: Position) -> None:
        """Nothing: no game is remembered."""


def load_greedy_dqn(text: str, argument: str, seed: int) -> GreedyDqn:
    """The agent of a file; ValueError quotes one that holds no such networks."""
    if not argument:
        raise ValueError(f"agent {text!r} needs a file of networks after the colon")
    from engine.networks.double_dqn import read_double_dqn  # noqa: PLC0415 - torch, for it alone

    return GreedyDqn(text, read_double_dqn(Path(argument)), seed)
