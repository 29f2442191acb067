"""The games and people that a page's conversation remembers: resumption, lists, estimates."""

from __future__ import annotations

from typing import Any

import pytest

from engine.opponents import OpponentName, StoredGame, StoreError, TransientStore
from protocols.page.lobby import STAY_SECONDS, Lobby
from tests.support.page_talk import WEAK, PageTalk, resumed


@pytest.mark.parametrize("is_user", [True, False], ids=["user", "guest"])
def test_a_page_loaded_again_resumes_its_game(is_user: bool) -> None:
    talk = PageTalk(is_user=is_user)
    talk.say("new", **WEAK)
    state = talk.state("move", at="C3")
    talk.lobby.leave(talk.lobby.enter(talk.visitor, lambda: None))
    again = PageTalk(talk.lobby, talk.memory, is_user=is_user, visitor=talk.visitor)
    assert again.visitor == talk.visitor
    same = resumed(again, state)
    assert same["moves"] == state["moves"]
    assert same["belief"] == state["belief"]
    assert same["engine"]["full_reason"] == state["engine"]["full_reason"]
    after = again.state("move", at=same["legal"][0])
    assert len(after["moves"]) == 4


def test_an_engine_started_again_resumes_the_stored_game() -> None:
    store = TransientStore()
    talk = PageTalk(memory=store)
    talk.say("new", **WEAK)
    state = talk.state("move", at="C3")
    again = PageTalk(Lobby(), store)
    assert resumed(again, state)["belief"] == state["belief"]
    again.say("move", at=state["legal"][0])
    resigned = again.state("resign")
    assert resigned["belief"]["games"] == 1
    [game] = store._games
    assert game.result == "W+R"
    assert len(game.moves) == 4


def test_a_game_that_no_store_has_goes_on_from_the_pages_moves() -> None:
    talk = PageTalk(is_user=False)
    state = talk.state("resume", game="othello", **WEAK, moves=["f5", "d6"])
    assert state["moves"] == [[0, "f5"], [1, "d6"]]
    assert state["phase"] == "yours"
    [error] = talk.say("resume", game="othello", moves=["a1"])
    assert error["text"] == "move 1, a1, is not legal"


def test_a_second_tab_takes_the_game_over() -> None:
    talk = PageTalk()
    PageTalk(talk.lobby, talk.memory, visitor=talk.visitor)
    assert talk.heard[-1]["type"] == "elsewhere"
    assert talk.inbox.abandoned()


def test_guests_know_no_tokens_and_are_forgotten() -> None:
    time = [0.0]
    lobby = Lobby(now=lambda: time[0])
    guessed = "guessed"
    first = lobby.enter(guessed, lambda: None)
    assert first.token != guessed
    lobby.leave(first)
    time[0] = STAY_SECONDS - 1
    assert lobby.enter(first.token, lambda: None) is first
    lobby.leave(first)
    time[0] += STAY_SECONDS + 1
    assert lobby.enter(first.token, lambda: None) is not first


def test_the_user_sees_the_games_and_the_people() -> None:
    talk = PageTalk()
    guest = PageTalk(talk.lobby, is_user=False)
    guest.say("new", game="othello")
    state = talk.state("new", game="connect4", name="Ann", **WEAK)
    while state["phase"] == "yours":
        state = talk.state("move", at=state["legal"][0])
    [lists] = talk.say("lists")
    games = [(row["board"], row["person"], row["phase"]) for row in lists["games"]]
    assert games == [("Connect4 7x6", "Ann", "over"), ("Othello 8x8", "a guest", "yours")]
    [row] = lists["people"]
    assert (row["name"], row["board"], row["games"]) == ("Ann", "Connect4 7x6", 1)
    assert row["history"] == [row["estimate"]["elo"]]


def test_a_guest_sees_no_lists() -> None:
    guest = PageTalk(is_user=False)
    [error] = guest.say("lists")
    assert error["type"] == "error"
    assert "guests" in error["text"]


def test_the_name_none_is_not_remembered() -> None:
    talk = PageTalk()
    talk.say("new", game="connect4", name="none", **WEAK)
    talk.say("move", at="4")
    talk.say("resign")
    assert talk.memory.summaries() == ()


def test_a_left_game_is_offered_and_gone_on_with() -> None:
    talk = PageTalk()
    assert talk.welcome["left"] is None
    assert talk.say("continue")[0]["text"] == "no game was left"
    talk.say("new", game="othello", **WEAK)
    state = talk.state("move", at="d3")
    other = PageTalk(talk.lobby, talk.memory)
    assert other.welcome["left"] is None, "the game is under way in another tab"
    later = PageTalk(Lobby(), talk.memory)
    assert later.welcome["left"] == {"board": "Othello 8x8", "moves": len(state["moves"])}
    later.say("new")
    again = later.state("continue")
    assert again["moves"] == state["moves"]
    assert again["engine"]["strength"] == "level:0"
    later.say("resign")
    assert PageTalk(Lobby(), talk.memory).welcome["left"] is None


def test_a_game_replaced_by_a_new_one_is_not_offered() -> None:
    talk = PageTalk()
    talk.say("new", **WEAK)
    talk.say("move", at="E5")
    talk.say("new", **WEAK)
    assert PageTalk(Lobby(), talk.memory).welcome["left"] is None


class Silent(TransientStore):
    """A store that does not answer."""

    def unfinished(self, opponent: OpponentName) -> tuple[tuple[int, StoredGame], ...]:
        raise StoreError("no answer")


def test_a_store_without_an_answer_stops_no_page() -> None:
    talk = PageTalk(memory=Silent())
    assert talk.welcome["left"] is None
    state = talk.state("resume", game="othello", **WEAK, moves=["f5", "d6"])
    assert state["moves"] == [[0, "f5"], [1, "d6"]]


def test_the_estimate_stands_still_during_a_game() -> None:
    talk = PageTalk()
    known: list[Any] = []
    for _ in range(2):
        during = []
        state = talk.state("new", game="connect4", strength="level:0")
        while state["phase"] == "yours":
            during.append(state["belief"])
            state = talk.state("move", at=state["legal"][0])
        known.append(state["belief"])
        assert all(each == during[0] for each in during)
        assert state["belief"] != during[0]
        if len(known) == 1:
            assert during[0] is None
        else:
            assert during[0]["elo"] == known[0]["elo"]


def test_a_resumed_game_shows_the_estimate_before_it() -> None:
    talk = PageTalk()
    state = talk.state("new", game="connect4", strength="level:0")
    while state["phase"] == "yours":
        state = talk.state("move", at=state["legal"][0])
    before = state["belief"]
    terms = {"game": "connect4", "strength": "level:0"}
    state = talk.state("new", **terms)
    for _ in range(3):
        state = talk.state("move", at=state["legal"][-1])
    moves = [name for _, name in state["moves"]]
    again = PageTalk(talk.lobby, talk.memory).state("resume", **terms, moves=moves)
    assert again["belief"] == before
