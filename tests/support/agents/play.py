"""Games between agents, without the match runner: for tests that only want to know who wins."""

from __future__ import annotations

import random
from itertools import count

from engine.agents import Agent, make_agent
from engine.games.chance import fair_draw
from engine.games.position import Position
from tests.support.agents.positions import new


def opened(name: str, moves: int, seed: int) -> Position:
    """A game after so many random moves, not over yet."""
    rng = random.Random(seed)
    while True:
        position = new(name)
        for _ in range(moves):
            if not position.is_over:
                position.play(rng.choice(position.legal_moves()))
        if not position.is_over:
            return position


def play(position: Position, agents: tuple[Agent, Agent], seed: int) -> list[int]:
    """The moves of a game to its end, which the position is brought to."""
    moves: list[int] = []
    draw = fair_draw(seed)
    for color, agent in enumerate(agents):
        agent.begin(2 * seed + color)
    while not position.is_over:
        choice = agents[position.to_move].choose(position)
        assert choice.move is not None
        assert choice.reason
        moves.append(draw(position, choice.move))
        position.play(moves[-1])
    for agent in agents:
        agent.finish(position)
    return moves


def match(name: str, texts: tuple[str, str], games: int, opening: int = 0) -> list[int]:
    """[won by the first, by the second, drawn]; pairs of games exchange colors."""
    game = "connect4" if name == "connect4" else "othello"
    players = [make_agent(text, game, 0) for text in texts]
    result = [0, 0, 0]
    for number, pair in zip(range(games), (n // 2 for n in count()), strict=False):
        first = number % 2
        position = opened(name, opening, pair)
        play(position, (players[first], players[1 - first]), pair if opening else number)
        result[2 if position.winner < 0 else position.winner ^ first] += 1
    return result
