"""A network's strength: games of its search against an agent, from random openings.

The search has no exact solver: a solver plays well with any network.
"""

from __future__ import annotations

from dataclasses import dataclass

from engine.agents.table import make_agent
from engine.games.evaluator import Evaluator
from engine.games.position import Position
from engine.search.search import Search, SearchSettings
from engine.training.alphazero.start import start_of
from engine.training.othello.agent_games import points_between
from engine.values import Choice, Limit

OPENING_PLIES = 4


@dataclass(frozen=True)
class Rival:
    """The network's opponent, and the conditions of the games."""

    agent: str = "mcts1"  # a text for engine/agents/table.py
    games: int = 20  # an even number
    visits: int = 100
    every: int = 4  # iterations; 0: never


def points_against(rival: Rival, evaluator: Evaluator, width: int, height: int, seed: int) -> float:
    """Returns the network's share of the points, 0..1; a draw is half a point."""
    game = evaluator.network.game
    return points_between(
        _SearchingAgent(evaluator, rival.visits, seed),
        make_agent(rival.agent, game, seed),
        start_of(game, width, height),
        games=rival.games,
        plies=OPENING_PLIES,
        seed=seed,
    )


class _SearchingAgent:
    """The network's best move after some visits, from an empty tree; see Agent."""

    def __init__(self, evaluator: Evaluator, visits: int, seed: int) -> None:
        settings = SearchSettings()
        settings.solve_empties = 0
        self.text = evaluator.network.name
        self._search = Search(evaluator, settings, seed=seed)
        self._limit = Limit(visits=visits)

    def begin(self, seed: int) -> None:
        """Does nothing: the search's own seed fixes all games."""

    def choose(self, position: Position) -> Choice:
        """Returns the first move of the search's report."""
        self._search.set_position(position)
        self._search.clear()
        return Choice(self._search.run(self._limit).moves[0].move, "the best move searched")

    def finish(self, position: Position) -> None:
        """Does nothing: no game is remembered."""
