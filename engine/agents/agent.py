"""The interface of an agent: a player by a rule of its own, without a network's search.

An agent plays one game at a time. The interface is the same for every game.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Protocol

from engine._core import Finding
from engine.games.position import Position
from engine.values import Choice

# (position, seed) -> the move found; the position is of a class that the function takes.
Think = Callable[[Any, int], Finding]


class Agent(Protocol):
    """A player for matches; the same seeds and positions always give the same moves."""

    text: str  # the agent's text for make_agent

    def begin(self, seed: int) -> None:
        """Starts a new game; the seed decides among moves of equal worth."""

    def choose(self, position: Position) -> Choice:
        """Returns the move to play, never a resignation. Raises ValueError without a move."""

    def finish(self, position: Position) -> None:
        """Learns from a finished game."""


class Rule:
    """An Agent that is a function of the position and the game's seed."""

    def __init__(self, text: str, think: Think, reason: str, seed: int) -> None:
        self.text = text
        self._think = think
        self._reason = reason  # a format string for the Finding
        self._seed = seed

    def begin(self, seed: int) -> None:
        """Starts a new game."""
        self._seed = seed

    def choose(self, position: Position) -> Choice:
        """Returns the rule's move."""
        finding = self._think(position, self._seed)
        return Choice(finding.move, self._reason.format(finding), nodes=finding.nodes or None)

    def finish(self, position: Position) -> None:
        """Does nothing: a rule learns from no game."""
