"""What an agent is: somebody who plays games by a rule of its own, without a network's search.

Knows no game and no protocol. An agent plays one game at a time.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Protocol

from engine._core import Finding
from engine.games.position import Position
from engine.values import Choice

# (position, seed) -> what was found; the position is of a class that the function can take.
Think = Callable[[Any, int], Finding]


class Agent(Protocol):
    """A player for matches; the same seeds and positions always give the same moves."""

    text: str  # what make_agent read

    def begin(self, seed: int) -> None:
        """Start a new game, whose moves the seed settles where the agent is indifferent."""

    def choose(self, position: Position) -> Choice:
        """The move to play, never a resignation; ValueError where the agent can play none."""

    def finish(self, position: Position) -> None:
        """Take note of how the game ended."""


class Rule:
    """An Agent that is a function of the position and the game's seed."""

    def __init__(self, text: str, think: Think, reason: str, seed: int) -> None:
        self.text = text
        self._think = think
        self._reason = reason  # a format, of the Finding
        self._seed = seed

    def begin(self, seed: int) -> None:
        """Start a new game."""
        self._seed = seed

    def choose(self, position: Position) -> Choice:
        """The move that the rule finds."""
        found = self._think(position, self._seed)
        return Choice(found.move, self._reason.format(found), nodes=found.nodes or None)

    def finish(self, position: Position) -> None:
        """Nothing: no game is remembered."""
