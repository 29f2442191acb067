"""Matches in games of chance: equal chance for both colors, outcomes told, two illegal moves."""

from __future__ import annotations

from dataclasses import replace

from engine.agents import make_agent
from engine.games.chance import is_complete, without_outcome
from engine.games.position import Position
from engine.match.agent_player import AgentPlayer
from engine.match.game_spec import GameSpec
from engine.match.match import Schedule, pairings
from engine.match.player import Move
from engine.match.referee import play_game

SMALL = GameSpec("darkchess", 2, 4)


class Faulty(AgentPlayer):
    """Plays so many illegal moves first."""

    def __init__(self, faults: int) -> None:
        super().__init__(make_agent("random", "darkchess", 1))
        self.faults = faults

    def choose(self, position: Position) -> Move:
        if self.faults:
            self.faults -= 1
            return Move(position.move_count - 1, 0.0, ())
        return super().choose(position)


class Listening(AgentPlayer):
    """Notes the outcomes of its own moves, and the opponent's moves."""

    def __init__(self) -> None:
        super().__init__(make_agent("random", "darkchess", 1))
        self.revealed: list[int] = []
        self.watched: list[int] = []

    def reveal(self, _color: int, move: int) -> None:
        self.revealed.append(move)

    def watch(self, color: int, move: int) -> None:
        self.watched.append(move)


def test_openings_and_chance_are_the_same_with_colors_exchanged() -> None:
    schedule = Schedule(pairs=((0, 1),), rounds=4, seed=3)
    starts = [pairing.start for pairing in pairings(schedule, SMALL, set())]
    assert starts[0] == starts[1]
    assert starts[2] == starts[3]
    assert starts[0].chance != starts[2].chance


def test_games_of_one_chance_reveal_the_same_pieces() -> None:
    start = replace(SMALL, chance=5)
    revealed: dict[int, int] = {}
    for seed in range(6):
        players = [AgentPlayer(make_agent("random", "darkchess", 0)) for _ in range(2)]
        game, _ = play_game(start, players, (seed, seed + 50))
        position = start.position()
        for move in game.moves:
            assert is_complete(position, move)
            flip = without_outcome(position, move)
            if flip != move:
                assert revealed.setdefault(flip, move) == move
            position.play(move)


def test_both_players_hear_the_outcome() -> None:
    players = Listening(), Listening()
    game, _ = play_game(replace(SMALL, chance=2), players, (1, 2))
    flips = [move for move in game.moves if without_outcome(game.start.position(), move) != move]
    assert sorted([*players[0].revealed, *players[1].revealed]) == sorted(flips)
    assert set(flips) <= {*players[0].watched, *players[1].watched}


def test_the_second_illegal_move_loses() -> None:
    other = AgentPlayer(make_agent("random", "darkchess", 0))
    _, ending = play_game(SMALL, (Faulty(1), other), (1, 2))
    assert ending.how == "score"
    _, ending = play_game(SMALL, (Faulty(2), other), (1, 2))
    assert (ending.how, ending.result, ending.winner) == ("illegal", "S+F", 1)
