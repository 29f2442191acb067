"""The engine itself as a player of a match: games of Go in this process, counted by agreement."""

from __future__ import annotations

from dataclasses import replace

import pytest

from engine._core import EvaluationCache
from engine.games import Board
from engine.resident import Network, NetworkChoice
from protocols.match.own_player import OwnPlayer, options_of
from protocols.match.player import Budget
from protocols.match.referee import play_game
from protocols.match.start import Start, handicap_moves
from tests.gtp.conversation import count_area
from tests.stand_in import StandInEvaluator

BOARD = Start("go", 7, 7, rules="chinese", komi=2.5)


def player(text: str = "full", visits: int = 16) -> OwnPlayer:
    network = Network(StandInEvaluator(count_area), EvaluationCache(1024))
    return OwnPlayer(text, options_of(BOARD.board, [text]), network, Budget(visits=visits))


@pytest.mark.parametrize("stones", [0, 2])
def test_both_players_count_the_same_game(stones: int) -> None:
    start = replace(BOARD, handicap=handicap_moves("go", 7, 7, stones), opening=(24,))
    game, ending = play_game(start, (player(), player()), (1, 2))
    assert (ending.how, ending.judge) in {("score", "players"), ("resign", "")}
    assert len(game.moves) > 10


def test_a_finished_game_is_counted_by_its_rules() -> None:
    start = replace(BOARD, rules="tromp-taylor")
    one = player()
    one.begin(start, 1)
    for color, move in ((0, 24), (1, 49), (0, 49)):
        one.watch(color, move)
    assert one.final_score() == "B+46.5"


def test_the_options_behind_a_persona() -> None:
    assert options_of(BOARD.board, ["full"]).persona.name == "full"
    with pytest.raises(ValueError, match="'angry'"):
        options_of(BOARD.board, ["angry"])
    board = Board("othello", 6, 6)
    assert not options_of(board, ["full", "--no-solver"]).solve
    assert options_of(board, ["full", "--no-network"]).network == NetworkChoice(
        None, game="othello"
    )


def test_it_learns_from_game_to_game_what_it_is_not_told_to_forget() -> None:
    one, other = player("softmax-between"), player("softmax:0")
    _, ending = play_game(BOARD, (one, other), (1, 2))
    assert ending.winner is not None
    index = -0.375 if ending.winner == 0 else 0.375
    assert one.remembered() == {"index": {"index": index, "step": pytest.approx(0.3375)}}
    one.begin(BOARD, 3)
    assert one.session.index.index == index
    known = one.remembered()
    one.recall(None)
    one.begin(BOARD, 3)
    assert one.session.index.index == 0
    one.recall(known)
    assert one.remembered() == known
    assert other.remembered() == {"index": {"index": 0.0, "step": 0.375}}


def test_a_seed_has_the_same_game_again() -> None:
    def moves(seed: int) -> list[int]:
        return play_game(BOARD, (player("softmax:0"), player("softmax:0")), (seed, 7))[0].moves

    assert moves(1) == moves(1) != moves(2)
