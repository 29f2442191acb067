"""Programs of the dark chess dialect in matches: whole games, illegal moves, refusals."""

from __future__ import annotations

import sys

import pytest

from engine.games.chance import is_complete
from engine.match.game_spec import GameSpec
from engine.match.players import PlayerTerms, PlayerTextError, start_player
from engine.match.referee import play_game

START = GameSpec("darkchess", 4, 8, chance=3)
PROGRAM = f"cdc:{sys.executable} -m tests.support.dark_chess_program"


def test_two_programs_play_whole_games() -> None:
    players = [start_player(PROGRAM, PlayerTerms(START)) for _ in range(2)]
    try:
        for _ in range(2):
            game, ending = play_game(START, players)
            assert ending.how == "score", ending
            position = START.position()
            for move in game.moves:
                assert is_complete(position, move)
                position.play(move)
            assert position.is_over
    finally:
        for player in players:
            player.close()


@pytest.mark.parametrize(("way", "how"), [("illegal", "illegal"), ("refuses", "refused")])
def test_a_program_with_faults_loses(way: str, how: str) -> None:
    players = [start_player(f"{PROGRAM} {way}", PlayerTerms(START)) for _ in range(2)]
    try:
        _, ending = play_game(START, players)
    finally:
        for player in players:
            player.close()
    assert (ending.how, ending.winner) == (how, 1)


def test_only_dark_chess_has_such_players() -> None:
    with pytest.raises(PlayerTextError, match="plays darkchess, not othello"):
        start_player("cdc:program", PlayerTerms(GameSpec("othello", 8, 8)))
