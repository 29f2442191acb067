"""Matches in games of chance: equal chance for both colors, outcomes told, two illegal moves."""

from __future__ import annotations

import random
from dataclasses import replace

from engine._core import EinsteinPosition
from engine.agents import make_agent
from engine.games.chance import is_complete, without_outcome
from engine.games.position import Position
from engine.match.agent_player import AgentPlayer
from engine.match.engine_player import SharedNetworks
from engine.match.game_spec import GameSpec
from engine.match.match import Schedule, pairings
from engine.match.openings import opening
from engine.match.player import Move
from engine.match.players import PlayerTerms, start_player
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


def test_games_of_einstein_with_one_chance_have_equal_dice() -> None:
    start = GameSpec("einstein", 5, 5, chance=5)
    dice: dict[int, int] = {}
    for seed in range(6):
        players = [AgentPlayer(make_agent("random", "einstein", 0)) for _ in range(2)]
        game, ending = play_game(start, players, (seed, seed + 50))
        assert (ending.how, ending.result[1:]) == ("score", "+1")
        position = EinsteinPosition()
        for number, move in enumerate(game.moves):
            if die := position.outcome_of(move):
                assert dice.setdefault(number, die) == die
            position.play(move)
    assert len(dice) > 8


def test_openings_of_einstein_place_the_pieces() -> None:
    spec = GameSpec("einstein", 5, 5)
    openings = {opening(spec, random.Random(seed)) for seed in range(8)}
    assert len(openings) == 8
    for moves in openings:
        position = replace(spec, opening=moves).position()
        assert isinstance(position, EinsteinPosition)
        assert not position.is_placing
        assert position.die > 0


def test_the_engine_plays_einstein_better_than_greedy_and_random_players() -> None:
    networks = SharedNetworks()
    schedule = Schedule(pairs=((0, 1),), rounds=20, seed=3)
    for other, least in (("random", 17), ("greedy", 12)):
        points = 0.0
        for pairing in pairings(schedule, GameSpec("einstein", 5, 5), set()):
            terms = PlayerTerms(pairing.start, networks=networks)
            texts = ("sparring:full --visits 60", other)
            players = [start_player(texts[color ^ pairing.black], terms) for color in range(2)]
            _, ending = play_game(pairing.start, players, pairing.seeds)
            points += ending.winner == pairing.black
        assert points >= least, other


def test_the_second_illegal_move_loses() -> None:
    other = AgentPlayer(make_agent("random", "darkchess", 0))
    _, ending = play_game(SMALL, (Faulty(1), other), (1, 2))
    assert ending.how == "score"
    _, ending = play_game(SMALL, (Faulty(2), other), (1, 2))
    assert (ending.how, ending.result, ending.winner) == ("illegal", "S+F", 1)
