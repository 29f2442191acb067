"""The whole game in one answer."""

from __future__ import annotations

import json
from typing import Any

from tests.support.gtp_conversation import Conversation


def state_of(talk: Conversation) -> dict[str, Any]:
    state: dict[str, Any] = json.loads(talk.say("sparring-game"))
    return state


def test_a_game_under_way_has_a_side_to_move_and_no_result() -> None:
    talk = Conversation()
    talk.say("boardsize 9")
    talk.say("play b C3")
    assert state_of(talk) == {
        "board": "go9",
        "moves": [["black", "C3"]],
        "rows": [
            ".........",
            *[
                ".........",
            ]
            * 5,
            "..X......",
            ".........",
            ".........",
        ],
        "to_move": "white",
        "is_over": False,
        "result": None,
    }


def test_two_passes_end_a_game_of_go_with_its_score() -> None:
    talk = Conversation()
    talk.say("boardsize 5")
    talk.say("komi 0.5")
    for color in "bw":
        talk.say(f"play {color} pass")
    state = state_of(talk)
    assert (state["is_over"], state["to_move"], state["result"]) == (True, None, "W+0.5")


def test_a_resignation_ends_the_game() -> None:
    talk = Conversation(game="connect4")
    talk.say("play b 4")
    talk.say("play w resign")
    state = state_of(talk)
    assert (state["board"], state["is_over"], state["result"]) == ("connect4", True, "B+R")


def test_moves_keep_the_games_own_spelling_for_gogui() -> None:
    talk = Conversation(game="othello")
    talk.say("play b f5")
    talk.say("gogui-rules_side_to_move")  # writes moves as points from here on
    state = state_of(talk)
    assert state["moves"] == [["black", "f5"]]
    assert state["rows"][2:6] == ["........", "...OX...", "...XXX..", "........"]


def test_four_in_a_row_end_the_game() -> None:
    talk = Conversation(game="connect4")
    for column in (1, 1, 2, 2, 3, 3, 4):
        color = "bw"[len(state_of(talk)["moves"]) % 2]
        talk.say(f"play {color} {column}")
    assert state_of(talk)["result"].startswith("B+")
