"""Thinking that a ping ends, clocks, draws, and whole games under a strict listener."""

from __future__ import annotations

import random
from collections.abc import Callable

import pytest

from engine._core import OthelloPosition
from engine.games.clock import TimeControl
from engine.networks.rollout_evaluator import RolloutEvaluator
from engine.search.search import Search
from protocols.nboard.clock import read_time, time_control
from protocols.positions import search_depth
from protocols.positions.player import PositionPlayer
from protocols.positions.session_adapter import SessionAdapter
from tests.support.line_talk import StandInPlayer
from tests.support.nboard_conversation import Conversation
from tests.support.nboard_strict import parse

START = (
    "(;GM[Othello]TY[8]BO[8 ---------------------------O*------*O--------------------------- *];)"
)


def name(move: int) -> str:
    return "PA" if move == 64 else f"{'ABCDEFGH'[move % 8]}{move // 8 + 1}"


@pytest.mark.parametrize("command", ["go", "hint 4", "analyze"])
def test_a_ping_ends_thinking_and_nothing_of_it_follows_the_pong(command: str) -> None:
    conversation = Conversation(StandInPlayer(steps=1_000_000))
    conversation.inbox.late.append((20, "ping 7"))
    heard = conversation.say(["move F5", command])
    assert heard[-1] == "pong 7"
    assert conversation.inbox.looks < 40
    told = parse(heard, conversation.player.position)
    assert told.pongs == [7]
    assert len(told.moves) == (command == "go"), "go is answered all the same, before the pong"


def test_a_ping_ends_all_that_was_asked_before_it() -> None:
    conversation = Conversation(StandInPlayer(steps=1_000_000))
    heard = conversation.say(["hint 1", "analyze", "go", "ping 4", "ping 5"])
    assert heard[-2:] == ["pong 4", "pong 5"]
    assert len(heard) < 30


def test_what_no_ping_announces_waits_until_the_thinking_has_ended() -> None:
    conversation = Conversation(StandInPlayer(steps=50))
    conversation.inbox.late.extend([(3, "what"), (4, "move F5"), (5, "set depth 3")])
    heard = conversation.say(["go"])
    assert sum(line.startswith("nodestats") for line in heard) == 50
    assert heard[-1] == "set myname Sparring3"
    assert conversation.player.position.move_number == 1


def test_quit_ends_thinking_and_the_conversation() -> None:
    conversation = Conversation(StandInPlayer(steps=1_000_000))
    conversation.inbox.late.append((9, "quit"))
    conversation.inbox.late.append((10, "ping 1"))
    assert not any(line.startswith("pong") for line in conversation.say(["hint 1"]))


def test_the_end_of_input_lets_a_move_be_finished() -> None:
    conversation = Conversation(StandInPlayer(steps=30))
    conversation.inbox.closed = True
    assert any(line.startswith("===") for line in conversation.say(["go"]))
    assert len(conversation.player.limits) == 1


def test_exact_scores_are_marked() -> None:
    conversation = Conversation(StandInPlayer(exact_from=60))
    told = parse(conversation.say(["hint 64"]), OthelloPosition(8))
    assert [depth for _, _, depth in told.hints] == ["100%"] * 8
    assert [value for _, value, _ in told.hints] == [4.0, 2.0, 0.0, -2.0] * 2


def test_a_deeper_look_is_exact_from_earlier_on() -> None:
    conversation = Conversation()
    conversation.say(["hint 1", "set depth 20", "hint 1", "go"])
    empties = [asked.exact_empties for asked in conversation.player.limits]
    assert empties == [14, 18, 0], "the engine decides itself how it plays the ending"


def test_the_depth_says_how_many_visits() -> None:
    conversation = Conversation()
    conversation.say(["go", "set depth 6", "go", "set depth 1000", "go", "set depth -3", "go"])
    visits = [asked.visits for asked in conversation.player.limits]
    assert visits == [512, 64, search_depth.visits(40), search_depth.visits(1)]
    assert search_depth.visits(20) == 8192
    assert [search_depth.depth_of(search_depth.visits(depth)) for depth in range(1, 41)] == [
        *range(1, 41)
    ]


def test_only_go_is_bound_by_the_clock() -> None:
    conversation = Conversation()
    game = START.replace("TY[8]", "TY[8]TI[05:00/00:10/02:00]").replace(";)", "B[F5//20]W[D6//1];)")
    conversation.say([f"set game {game}", "go", "move C3//7.5", "go", "hint 1"])
    black, white, hint = conversation.player.limits
    assert black.clock is not None
    assert (black.clock.main, black.clock.control.increment) == (300 - 20 + 10, 10)
    assert white.clock is not None
    assert white.clock.main == 300 - 1 + 10
    assert hint.clock is None
    conversation.say([f"set game {START}", "go"])
    assert conversation.player.limits[-1].clock is None


@pytest.mark.parametrize(
    ("text", "seconds"),
    [("15:00", 900), ("1:00:00", 3600), ("30", 30), ("00:02.5", 2.5), ("", None), ("x", None)],
)
def test_times(text: str, seconds: float | None) -> None:
    assert read_time(text) == seconds


@pytest.mark.parametrize(
    ("properties", "control"),
    [
        ({"TI": "05:00//02:00"}, TimeControl.fischer(300, 0)),
        ({"TI": "15:00"}, TimeControl.fischer(900, 0)),
        ({"TB": "01:00/00:05", "TI": "15:00"}, TimeControl.fischer(60, 5)),
        ({"TI": "00:00"}, None),
        ({"TI": "soon"}, None),
        ({}, None),
    ],
)
def test_time_controls(properties: dict[str, str], control: TimeControl | None) -> None:
    assert time_control(properties, 0) == control


@pytest.mark.parametrize(
    ("contempt", "share"), [("0", 0.5), ("100", 1.0), ("-100", 0.0), ("50", 0.75), ("9999", 1.0)]
)
def test_contempt_says_what_draws_are_worth_to_black(contempt: str, share: float) -> None:
    conversation = Conversation()
    assert conversation.say([f"set contempt {contempt}"]) == []
    assert conversation.player.draws == share


def test_the_client_may_say_who_plays() -> None:
    conversation = Conversation()
    assert conversation.say(["set opponent Ann Other"]) == []
    assert conversation.player.opponent == "Ann Other"
    conversation.say(["set opponent"])
    assert not conversation.player.opponent


@pytest.mark.parametrize(
    ("result", "ended"),
    [
        ("?", None),
        ("+64.000:t", (0, "T")),
        ("-10.000:r", (1, "R")),
        ("-64.000:l", (1, "F")),
        ("0.000", (None, "")),
    ],
)
def test_a_game_may_be_told_with_its_result(
    result: str, ended: tuple[int | None, str] | None
) -> None:
    conversation = Conversation()
    conversation.say(["set game " + START.replace("TY[8]", f"TY[8]RE[{result}]")])
    assert conversation.player.ended == ended


def engine_itself() -> PositionPlayer:
    return SessionAdapter(Search(RolloutEvaluator("othello", seed=1)), "othello")


@pytest.mark.parametrize("player", [StandInPlayer, engine_itself])
@pytest.mark.parametrize("seed", range(3))
def test_whole_games_keep_to_the_protocol(player: Callable[[], PositionPlayer], seed: int) -> None:
    rng = random.Random(seed)
    conversation = Conversation(player())
    conversation.say(["nboard 2", f"set game {START}", "set depth 4"])
    board = OthelloPosition(8)
    pings = 0
    while not board.is_over:
        pings += 1
        asked = rng.choice(["go", "hint 3"])
        told = parse(conversation.say([f"ping {pings}", asked]), board)
        assert told.pongs == [pings]
        if asked == "go":
            assert len(told.moves) == 1
            assert (told.moves[0][1] is None) == (len(board.legal_moves()) == 1)
        else:
            assert 1 <= len({tuple(variation) for variation, _, _ in told.hints}) <= 3
        move = rng.choice(board.legal_moves())
        board.play(move)
        assert conversation.say([f"move {name(move)}/1.5/0.2"]) == []
        assert conversation.player.position.is_same(board)
    told = parse(conversation.say(["analyze", "learn"]), board)
    assert [number for number, _ in told.analysis] == [*range(board.move_number, -1, -1)]
    assert told.analysis[0] == (board.move_number, board.black_score)
    assert told.learned == 1
