"""How strong a network is: games of a search with it against an agent, from random openings.

Each opening is played from both sides, so that only the two players decide the points; the search
does without the exact solver, which would play well with any network.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from engine.agents.agent import Agent
from engine.agents.table import make_agent
from engine.evaluator import Evaluator
from engine.games import GAMES
from engine.position import Position
from engine.records import Limit
from engine.search import Search, SearchSettings

OPENING_PLIES = 4


@dataclass(frozen=True)
class Rival:
    """Whom the network is matched with, and how."""

    agent: str = "mcts1"  # as engine/agents/table.py reads it
    games: int = 20  # an even number
    visits: int = 100
    every: int = 4  # iterations; 0: never


def points_against(rival: Rival, evaluator: Evaluator, width: int, height: int, seed: int) -> float:
    """The network's share of the points, 0..1, a draw being half of one."""
    game = evaluator.network.game
    settings = SearchSettings()
    settings.solve_empties = 0
    search = Search(evaluator, settings, seed=seed)
    points = 0.0
    for number in range(rival.games):
        rng = np.random.default_rng([seed, number // 2])
        position = _opening(game, width, height, rng)
        color = number % 2
        agent = make_agent(rival.agent, game, seed + number)
        while not position.is_over:
            if position.to_move == color:
                search.set_position(position)
                search.clear()
                position.play(search.run(Limit(visits=rival.visits)).moves[0].move)
            else:
                position.play(_chosen(agent, position))
        points += 0.5 if position.winner < 0 else float(position.winner == color)
    return points / rival.games


def _chosen(agent: Agent, position: Position) -> int:
    move = agent.choose(position).move
    if move is None:
        raise RuntimeError(f"agent {agent.text!r} has no move")
    return move


def _opening(game: str, width: int, height: int, rng: np.random.Generator) -> Position:
    """A position after a few random moves, not the end of a game."""
    while True:
        position = GAMES[game].new_position(width, height)
        for _ in range(OPENING_PLIES):
            if not position.is_over:
                position.play(int(rng.choice(position.legal_moves())))
        if not position.is_over:
            return position
