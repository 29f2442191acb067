"""GoGui as a referee's client: whole games by what gogui-rules answers, read as GoGui reads it."""

from __future__ import annotations

import random
import re

import pytest

from tests.support.gtp_conversation import Conversation

POINT = re.compile(r"([A-HJ-T])([1-9][0-9]?)")
GAMES = [
    ("go", "boardsize 3", 30),
    ("othello", "boardsize 4", 40),
    ("othello", "boardsize 6", 60),
    ("othello", "boardsize 8", 80),
    ("othello", "boardsize 10", 120),
    ("connect4", "boardsize 7", 42),
    ("connect4", "boardsize 7 6", 42),
    ("connect4", "boardsize 5 7", 35),
]


def board_of(conversation: Conversation) -> dict[str, str]:
    """What stands where, the rows read from the top as GoGui does, which names the lowest 1."""
    size = int(conversation.say("gogui-rules_board_size"))
    text = conversation.say("gogui-rules_board")
    rows = [[sign for sign in line if sign in ".XO?"] for line in text.splitlines()]
    assert [len(row) for row in rows] == [size] * size
    return {
        f"{'ABCDEFGHJKLMNOPQRST'[x]}{size - y}": sign
        for y, row in enumerate(rows)
        for x, sign in enumerate(row)
    }


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize(("game", "size", "most_moves"), GAMES)
def test_a_game_is_refereed_to_its_end(game: str, size: str, most_moves: int, seed: int) -> None:
    conversation = Conversation(visits=2, game=game)
    conversation.say(size)
    rng = random.Random(seed)
    for number in range(most_moves + 1):
        moves = conversation.say("gogui-rules_legal_moves").split()
        if not moves:
            break
        assert number < most_moves
        color = conversation.say("gogui-rules_side_to_move")
        sign = {"black": "X", "white": "O"}[color]
        before = board_of(conversation)
        move = rng.choice(moves)
        if rng.random() < 0.3:
            move = conversation.say(f"genmove {color}")
            assert move in moves
        else:
            conversation.say(f"play {color} {move}")
        after = board_of(conversation)
        if move == "pass":
            assert after == before
        else:
            assert POINT.fullmatch(move)
            assert (before[move], after[move]) == (".", sign)
    assert conversation.say("gogui-rules_final_result") != "The game is not over."
    assert conversation.say("final_score")


@pytest.mark.parametrize(
    ("game", "size", "points"),
    [("othello", "8", "D3 C4 F5 E6"), ("connect4", "7", "A1 B1 C1 D1 E1 F1 G1")],
)
def test_the_start_is_told_as_points(game: str, size: str, points: str) -> None:
    conversation = Conversation(game=game)
    assert conversation.say("gogui-rules_board_size") == size
    assert conversation.say("gogui-rules_legal_moves") == points
    assert conversation.say("gogui-rules_side_to_move") == "black"


def test_go_tells_its_captures() -> None:
    conversation = Conversation()
    conversation.say("boardsize 5")
    conversation.say("gogui-play_sequence b A2 w A1 b B1")
    assert conversation.say("gogui-rules_captured_count") == "1 0"


@pytest.mark.parametrize("game", ["go", "othello", "connect4"])
def test_stones_are_set_up_and_the_side_to_move_is_chosen(game: str) -> None:
    conversation = Conversation(game=game)
    conversation.say("gogui-rules_setup w C1" if game != "othello" else "gogui-setup w C4")
    assert conversation.say("gogui-rules_board").count("O") == (3 if game == "othello" else 1)
    conversation.say("gogui-setup_player w")
    assert conversation.say("gogui-rules_side_to_move") == "white"
    assert "resign" not in conversation.say("genmove w")


@pytest.mark.parametrize(("game", "played", "answers"), [
    ("connect4", "d1", {"A1", "B1", "C1", "D2", "E1", "F1", "G1"}),
    ("othello", "d3", {"C3", "E3", "C5"}),
])  # fmt: skip
def test_a_controller_that_asks_no_rules_may_want_points_all_the_same(
    game: str, played: str, answers: set[str]
) -> None:
    conversation = Conversation(game=game, points=True)
    conversation.say(f"play b {played}")
    assert conversation.say("genmove w") in answers
    conversation.say("set_game Go")
    conversation.say(f"set_game {game}")
    assert POINT.fullmatch(conversation.say("genmove b"))
