"""An agent's strength: its points in games against another one, from random openings.

Each opening is played from both sides: only the two players decide the points.
"""

from __future__ import annotations

import numpy as np

from engine.agents.agent import Agent
from engine.games.chance import Draw, draw_by
from engine.games.position import Position


def points_between(
    agent: Agent, rival: Agent, start: Position, *, games: int, plies: int, seed: int
) -> float:
    """Returns the agent's share of the points, 0..1; a draw is half a point.

    `games` begin at `start`, after `plies` random moves. Chance is drawn anew in each.
    """
    points = 0.0
    for number in range(games):
        rng = np.random.default_rng([seed, number // 2])
        draw = draw_by(rng)
        position = _opening(start, plies, rng, draw)
        color = number % 2
        players = (agent, rival) if color == 0 else (rival, agent)
        for player in players:
            player.begin(seed + number)
        while not position.is_over:
            move = players[position.to_move].choose(position).move
            if move is None:
                raise ValueError(f"agent {players[position.to_move].text!r} has no move")
            position.play(draw(position, move))
        points += 0.5 if position.winner < 0 else float(position.winner == color)
    return points / games


def _opening(start: Position, plies: int, rng: np.random.Generator, draw: Draw) -> Position:
    """Returns the start after some random moves, before the end of a game."""
    while True:
        position = start.copy()
        for _ in range(plies):
            if not position.is_over:
                position.play(draw(position, int(rng.choice(position.legal_moves()))))
        if not position.is_over:
            return position
