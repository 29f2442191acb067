"""Any agent made careless: with some probability it plays a random legal move instead of its own.

Knows this probability, and not the rule of the other agent.
"""

from __future__ import annotations

import random

from engine.agents.agent import Agent
from engine.games.position import Position
from engine.values import Choice


class Careless:
    """An Agent with another agent's moves and random mistakes."""

    def __init__(self, text: str, agent: Agent, chance: float, seed: int) -> None:
        self.text = text
        self._agent = agent
        self._chance = chance  # of a mistake, a move
        self._rng = random.Random(seed)  # noqa: S311 - no secret

    def begin(self, seed: int) -> None:
        """Starts a new game."""
        self._rng = random.Random(seed)  # noqa: S311 - no secret
        self._agent.begin(seed)

    def choose(self, position: Position) -> Choice:
        """Returns the other agent's move, or any legal one. Raises ValueError without a move."""
        if self._rng.random() >= self._chance:
            return self._agent.choose(position)
        legal = position.legal_moves()
        if not legal:
            raise ValueError("the game is over: there is no move to choose")
        return Choice(self._rng.choice(legal), "without a thought", nodes=0)

    def finish(self, position: Position) -> None:
        """Lets the other agent learn from the game."""
        self._agent.finish(position)
