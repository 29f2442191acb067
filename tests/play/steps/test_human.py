"""Moves as people play them, in play: whose policy counts, and what searches are for."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from engine.games.table import GAMES
from engine.networks.human_policy import HumanPolicy
from engine.personas import PERSONAS, make_persona
from engine.play.move_choice import choose
from engine.play.steps.request import MoveRequest
from engine.search.search import Restriction, Search
from engine.values import Choice, Limit
from tests.support.games import PLAYABLE
from tests.support.gtp_conversation import Conversation
from tests.support.stand_in import StandInEvaluator, StandInSlot, drawn_from_stones


def people(liking: dict[int, float], game: str = "othello") -> HumanPolicy:
    """People who play these moves with such probabilities, others hardly ever."""

    def evaluate(slot: StandInSlot, row: int) -> None:
        drawn_from_stones(slot, row)
        slot.policy[row] = -30.0
        for move, chance in liking.items():
            slot.policy[row, move] = np.log(chance)

    return HumanPolicy(StandInEvaluator(evaluate, game=game))


def turn_of(text: str, game: str = "othello", **changed: Any) -> MoveRequest[Any]:
    kind = GAMES[game]
    position = kind.new_position(*kind.usual_sizes[0])
    return MoveRequest(
        position, Limit(visits=80), game=game, persona=make_persona(text, game), **changed
    )


def chosen(turn: MoveRequest[Any], seed: int = 5) -> tuple[Choice, Search]:
    search = Search(StandInEvaluator(game=turn.game), seed=seed)
    search.set_position(turn.position)
    return choose(search, turn), search


def test_moves_are_drawn_as_people_play_them() -> None:
    moves = GAMES["othello"].new_position(8, 8).legal_moves()
    reference = people({moves[0]: 0.7, moves[1]: 0.3})
    rng = np.random.default_rng(3)
    turn = turn_of("human", reference=reference, rng=rng)
    played = Counter(chosen(turn)[0].move for _ in range(200))
    assert set(played) == set(moves[:2])
    assert abs(played[moves[0]] - 140) < 5 * np.sqrt(200 * 0.7 * 0.3)


def test_without_a_lambda_the_whole_search_is_for_how_the_game_stands() -> None:
    choice, search = chosen(turn_of("human"))
    assert choice.report is not None
    assert choice.report.root.visits == search.visits == 80
    choice, search = chosen(turn_of("human:lambda=0.1:explore=0.75"))
    assert choice.report is not None
    assert search.visits == 20


def test_a_losing_human_move_is_held_back() -> None:
    """And though the search that says how the game stands never looked at it."""
    turn = turn_of("human:lambda=0.01:temperature_below=0", game="connect4")
    position = turn.position
    for move in (3, 0, 3, 0, 3):  # Red threatens a fourth in the middle column
        position.play(move)
    reference = people({1: 0.98, 3: 0.02}, "connect4")
    turn = replace(turn, reference=reference, limit=Limit(visits=400))
    rng = np.random.default_rng(3)
    assert {chosen(replace(turn, rng=rng))[0].move for _ in range(5)} == {3}
    free = replace(turn, persona=make_persona("human", "connect4"), rng=rng)
    assert Counter(chosen(free)[0].move for _ in range(20))[1] > 10


def test_a_forbidden_human_move_is_not_played() -> None:
    moves = GAMES["othello"].new_position(8, 8).legal_moves()
    until = [0] * 65
    until[moves[0]] = 1
    turn = turn_of(
        "human:lambda=0.3",
        reference=people({moves[0]: 0.9, moves[1]: 0.1}),
        restriction=Restriction(black=until),
    )
    assert chosen(turn)[0].move == moves[1]
    for move in moves[1:]:
        until[move] = 1
    assert chosen(replace(turn, restriction=Restriction(black=until)))[0].reason == (
        "No other move is allowed."
    )


@pytest.mark.parametrize("game", sorted({*PLAYABLE} & {*PERSONAS["human"].games}))
def test_without_a_network_of_human_moves_the_searchs_own_serves(game: str) -> None:
    choice, _ = chosen(turn_of("human:lambda=0.5", game))
    assert choice.move in GAMES[game].new_position(*GAMES[game].usual_sizes[0]).legal_moves()
    assert "of people play this move; it was drawn with a probability of" in choice.reason


def test_gtp_sets_it_by_katagos_names() -> None:
    conversation = Conversation(game="othello")
    assert "persona human" in conversation.refused("kata-set-param humanSLProfile rank_5k")
    conversation.say("sparring-persona human")
    conversation.say("kata-set-param humanSLProfile rank_5k")
    conversation.say("kata-set-param humanSLChosenMovePiklLambda 0.3")
    conversation.say("kata-set-param humanSLChosenMoveIgnorePass false")
    assert conversation.say("kata-get-param humanSLChosenMovePiklLambda") == "0.3"
    expected = make_persona("human:rank_5k:lambda=0.3:ignore_pass=false", "othello")
    assert conversation.session.settings.persona.strength == expected.strength
    for line, quoted in (
        ("humanSLProfile 5k", "no profile '5k'"),
        ("humanSLChosenMoveProp 2", "proportion 2.0"),
        ("humanSLCpuctExploration x", "humanSLCpuctExploration must be"),
    ):
        assert quoted in conversation.refused(f"kata-set-param {line}")


def test_parameters_set_by_gtp_stay_over_games() -> None:
    """A controller sets its parameters once, before it says which game and what board."""
    conversation = Conversation()
    conversation.say("sparring-persona human:rank_9k naturalness.points=3")
    conversation.say("kata-set-param humanSLProfile rank_5k")
    conversation.say("kata-set-param chosenMoveTemperature 0.2")
    before = conversation.session.settings.persona
    boards = ["clear_board", "boardsize 13", "set_game Othello", "boardsize 6", "set_game Go"]
    for line in boards:
        conversation.say(line)
        assert conversation.say("kata-get-param humanSLProfile") == "rank_5k", line
        assert conversation.session.settings.persona == before, line
