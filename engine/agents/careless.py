"""A careless agent: another agent's moves, with random legal moves mixed in."""

from __future__ import annotations

import random

from engine.agents.agent import Agent
from engine.games.position import Position
from engine.values import Choice


class Careless:
    """An Agent that plays another agent's moves; each is a random legal move with `probability`."""

    def __init__(self, text: str, agent: Agent, probability: float, seed: int) -> None:
        self.text = text
        self._agent = agent
        self._probability = probability  # probability that a move is a random one
        self._rng = random.Random(seed)  # noqa: S311 - no secret

    def begin(self, seed: int) -> None:
        """Starts a new game."""
        self._rng = random.Random(seed)  # noqa: S311 - no secret
        self._agent.begin(seed)

    def choose(self, position: Position) -> Choice:
        """Returns the other agent's move, or any legal one. Raises ValueError without a move."""
        if self._rng.random() >= self._probability:
            return self._agent.choose(position)
        legal = position.legal_moves()
        if not legal:
            raise ValueError("the game is over: there is no move to choose")
        return Choice(self._rng.choice(legal), "without a thought", nodes=0)

    def finish(self, position: Position) -> None:
        """Lets the other agent learn from the game."""
        self._agent.finish(position)
