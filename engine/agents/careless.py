"""Any agent made careless: with some probability it plays a random legal move instead of its own.

Knows chances, not how the other agent thinks.
"""

from __future__ import annotations

import random

from engine.agents.agent import Agent
from engine.games.position import Position
from engine.values import Choice


class Careless:
    """An Agent that plays as another one does, but for its mistakes."""

    def __init__(self, text: str, agent: Agent, chance: float, seed: int) -> None:
        self.text = text
        self._agent = agent
        self._chance = chance  # of a mistake, a move
        self._rng = random.Random(seed)  # noqa: S311 - no secret

    def begin(self, seed: int) -> None:
        """Start a new game."""
        self._rng = random.Random(seed)  # noqa: S311 - no secret
        self._agent.begin(seed)

    def choose(self, position: Position) -> Choice:
        """The other agent's move, or any legal one."""
        if self._rng.random() >= self._chance:
            return self._agent.choose(position)
        legal = position.legal_moves()
        if not legal:
            raise ValueError("the game is over: there is no move to choose")
        return Choice(self._rng.choice(legal), "without a thought", nodes=0)

    def finish(self, position: Position) -> None:
        """Let the other agent take note."""
        self._agent.finish(position)
