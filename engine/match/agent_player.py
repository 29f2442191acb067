"""An agent of engine.agents as a player, in this process."""

from __future__ import annotations

import time

from engine.agents import Agent
from engine.games.position import Position
from engine.match.game_spec import GameSpec
from engine.match.player import OWN_SETTINGS, Move


class AgentPlayer:
    """A Player that runs an agent."""

    limited_by = OWN_SETTINGS

    def __init__(self, agent: Agent) -> None:
        self.text = agent.text
        self._agent = agent

    def begin(self, _start: GameSpec, seed: int) -> None:
        """Starts a new game."""
        self._agent.begin(seed)

    def watch(self, color: int, move: int) -> None:
        """Does nothing: an agent reads the position itself."""

    def choose(self, position: Position) -> Move:
        """Returns the agent's move; its visits are the positions it examined."""
        began = time.perf_counter()
        choice = self._agent.choose(position)
        seconds = time.perf_counter() - began
        return Move(choice.move, seconds, () if choice.nodes is None else (choice.nodes,))

    def finish(self, position: Position, _winner: int | None) -> None:
        """Reports the end of the game to the agent."""
        self._agent.finish(position)

    def final_score(self) -> str | None:
        """Returns None: an agent counts no points."""
        return None

    def close(self) -> None:
        """Does nothing: no process runs."""

    def kill(self) -> None:
        """Does nothing: no process runs."""
