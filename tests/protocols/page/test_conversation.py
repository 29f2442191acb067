"""The conversation with the page: games of each kind, undo, counting, resumption, faults."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from engine.formats import ggf, sgf
from engine.formats.ggf import GgfResult
from engine.games.game import Game
from engine.games.game_settings import usual_settings
from engine.games.rules import RULE_SETS
from engine.games.table import Board, usual_board
from engine.networks.human_policy import HumanPolicy
from engine.opponents import OpponentName, StoredGame, StoreError, TransientStore
from engine.search.search import Search
from engine.values import Limit
from protocols.conversation import ClientDefaults
from protocols.page.advice import hint_view
from protocols.page.conversation import HANDLERS
from protocols.page.lobby import STAY_SECONDS, Lobby
from protocols.page.messages import COMMANDS
from tests.support.page_talk import PageTalk, StandInSource, line_of
from tests.support.stand_in import StandInEvaluator

WEAK: dict[str, Any] = {"strength": "level:0"}


def test_every_message_has_a_handler() -> None:
    assert HANDLERS.keys() == COMMANDS.keys()


def test_the_first_game_is_on_9x9_with_black() -> None:
    state = PageTalk().state("new")
    assert (state["game"], state["width"], state["height"]) == ("go", 9, 9)
    assert (state["person"], state["phase"], state["turn"]) == (0, "yours", 0)
    assert state["terms"]["strength"] == "even"
    assert "E5" in state["legal"]
    assert len(state["legal"]) == 82


def test_a_move_is_answered() -> None:
    talk = PageTalk()
    talk.say("new", **WEAK)
    before, after = talk.say("move", at="E5")
    assert before["phase"] == "engine"
    assert before["legal"] == []
    assert before["moves"] == [[0, "E5"]]
    assert after["phase"] == "yours"
    assert len(after["moves"]) == 2
    assert after["board"][4][4] == 1
    assert after["engine"]["level"] == 0
    assert after["engine"]["reason"]


@pytest.mark.parametrize(
    "terms",
    [
        {"game": "othello", "width": 6, "height": 6},
        {"game": "othello", "width": 6, "height": 6, "color": 1},
        {"game": "connect4"},
        {"game": "connect4", "color": 1},
    ],
    ids=str,
)
def test_a_whole_game_is_played(terms: dict[str, Any]) -> None:
    talk = PageTalk()
    state = talk.state("new", **WEAK, **terms)
    while state["phase"] == "yours":
        assert state["legal"]
        assert "pass" not in state["legal"], "a forced pass plays itself"
        state = talk.state("move", at=state["legal"][-1])
    assert state["phase"] == "over"
    assert "wins" in state["result"]["text"] or "drawn" in state["result"]["text"]
    assert state["belief"]["games"] == 1
    assert talk.say("move", at="1")[0]["type"] == "error"


@pytest.mark.parametrize(
    ("fields", "text"),
    [
        ({"game": "shogi"}, "unknown game 'shogi'"),
        ({"game": "othello", "width": 7, "height": 7}, "not on 7x7"),
        ({"width": 20, "height": 20}, "not on 20x20"),
        ({"rules": "house"}, "unknown rules 'house'"),
        ({"komi": 0.3}, "komi"),
        ({"handicap": 12}, "no fixed handicap of 12"),
        ({"game": "connect4", "handicap": 2}, "no handicap stones"),
        ({"color": 2}, "a color is 0 or 1"),
        ({"strength": "shi"}, "no strength 'shi'"),
        ({"strength": "level:8k", "game": "connect4"}, "a rank of Go"),
        ({"name": " "}, "not an opponent's name"),
    ],
    ids=str,
)
def test_impossible_terms_leave_the_game_as_it_is(fields: dict[str, Any], text: str) -> None:
    talk = PageTalk()
    talk.say("new", **WEAK)
    state = talk.state("move", at="C3")
    [error] = talk.say("new", **fields)
    assert error["type"] == "error"
    assert text in error["text"]
    assert len(talk.state("move", at=state["legal"][0])["moves"]) == 4


def test_illegal_moves_are_refused() -> None:
    talk = PageTalk()
    talk.say("new", **WEAK)
    talk.say("move", at="E5")
    for at in ("Z9", "fly", ""):
        assert talk.say("move", at=at)[0]["type"] == "error"
    [error] = talk.say("move", at="E5")
    assert error["text"] == "E5 is not a legal move"


def test_undo_takes_back_the_answer_too() -> None:
    talk = PageTalk()
    talk.say("new", **WEAK)
    talk.say("move", at="C3")
    state = talk.state("undo")
    assert state["moves"] == []
    assert not state["can_undo"]
    assert talk.say("undo")[0]["text"] == "there is no move to take back"


def test_undo_during_the_answer_takes_back_the_move_alone() -> None:
    talk = PageTalk()
    talk.say("new", **WEAK)
    free = talk.state("move", at="C3")["legal"][0]
    talk.inbox.put([line_of("undo")])
    [state] = talk.say("move", at=free)
    assert state["phase"] == "engine"
    assert len(talk.state("undo")["moves"]) == 2


def test_an_undo_of_othello_goes_back_to_a_choice() -> None:
    talk = PageTalk()
    state = talk.state("new", game="othello", width=6, height=6, **WEAK)
    while state["phase"] == "yours" and [0, "pass"] not in state["moves"]:
        state = talk.state("move", at=state["legal"][0])
    if state["phase"] == "yours":
        state = talk.state("undo")
        assert state["phase"] == "yours"
        assert state["legal"] != ["pass"]


def test_a_resignation_ends_the_game() -> None:
    talk = PageTalk()
    talk.say("new", **WEAK)
    talk.say("move", at="C3")
    state = talk.state("resign")
    assert state["result"] == {"winner": 1, "text": "White wins by resignation"}
    assert talk.say("undo")[0]["text"] == "the game is over"


def counted(talk: PageTalk) -> dict[str, Any]:
    """The state after both have passed; the engine passes because nothing is left."""
    moves = ["E5", "C3", "pass", "pass"]
    return talk.state("resume", **WEAK, moves=moves)


def test_dead_stones_are_marked_and_counted() -> None:
    talk = PageTalk()
    state = counted(talk)
    assert state["phase"] == "counting"
    before = state["counting"]
    toggled = talk.state("mark", at="C3")["counting"]
    assert toggled["dead"][6][2] == 1 - before["dead"][6][2]
    assert toggled["text"] != before["text"]
    assert talk.say("mark", at="A1")[0]["text"] == "there is no stone at A1"
    marked = talk.state("mark", at="C3")["counting"]
    assert marked == before
    state = talk.state("agree")
    assert state["phase"] == "over"
    assert state["result"]["text"] == before["text"]
    assert talk.say("mark", at="C3")[0]["type"] == "error"


def test_a_count_can_be_left_for_more_moves() -> None:
    talk = PageTalk()
    counted(talk)
    state = talk.state("play on")
    assert state["moves"][:2] == [[0, "E5"], [1, "C3"]]
    assert state["phase"] == "yours"
    assert talk.say("agree")[0]["type"] == "error"


def test_a_strength_holds_from_the_next_move_on() -> None:
    talk = PageTalk()
    talk.say("new", game="connect4")
    assert talk.state("strength", to="level:0")["engine"]["strength"] == "level:0"
    assert talk.state("move", at="4")["engine"]["level"] == 0
    [error] = talk.say("strength", to="brutal")
    assert "no strength 'brutal'" in error["text"]


def resumed(talk: PageTalk, state: dict[str, Any]) -> dict[str, Any]:
    moves = [name for _, name in state["moves"]]
    return talk.state("resume", **state["terms"], moves=moves)


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


def test_other_messages_come_after_hello() -> None:
    talk = PageTalk()
    assert talk.say("hello")[0]["text"] == "hello comes once"
    assert talk.say("undo")[0]["text"] == "there is no game yet"


@pytest.mark.parametrize("game", ["go", "othello", "connect4"])
def test_a_hint_names_a_legal_move(game: str) -> None:
    talk = PageTalk()
    state = talk.state("new", game=game)
    [hint] = talk.say("hint")
    assert hint["move"] in state["legal"]
    assert hint["text"].startswith(f"A strong player plays {hint['move']} here and wins ")
    talk.say("resign")
    assert talk.say("hint")[0]["type"] == "error"


def test_the_file_of_a_game_is_read_again() -> None:
    talk = PageTalk()
    counted(talk)
    talk.say("agree")
    [file] = talk.say("download")
    record = sgf.read(file["text"].encode(), RULE_SETS["chinese"])
    assert record.names == ("You", "Sparring")
    assert [move for _, move in record.moves] == [40, 56, 81, 81]
    assert record.result[0] in "BW0"
    talk.say("resume", game="othello", width=6, height=6, color=1, moves=["c2"], name="Ann")
    talk.say("resign")
    [file] = talk.say("download")
    [game] = ggf.read(file["text"])
    assert (game.size, game.black, game.white) == (6, "Sparring", "Ann")
    assert [made.move for made in game.moves] == [8]
    assert game.result == GgfResult(36.0, "r")
    talk.say("resume", game="connect4", moves=["4", "4"])
    [file] = talk.say("download")
    assert (file["name"], file["text"]) == ("connect4.txt", "44\n")


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


@pytest.mark.parametrize(
    ("game", "lead", "words"),
    [
        ("go", 0.3, "; the score is even."),
        ("go", -1.2, "; you are 1 point behind."),
        ("othello", 6.0, "; you are 6 discs ahead."),
        ("connect4", 6.0, "wins 75% of such games."),
    ],
)
def test_a_hint_gives_the_standing(game: str, lead: float, words: str) -> None:
    search = Search(StandInEvaluator(game=game))
    board = usual_board(game)
    search.set_position(board.start())
    report = search.run(Limit(visits=2))
    best = replace(report.moves[0], win_rate=0.75, score_lead=lead)
    hint = hint_view(Game.new(usual_settings(game)), replace(report, moves=(best,)))
    assert hint is not None
    assert hint["text"].endswith(words)


def test_the_name_none_is_not_remembered() -> None:
    talk = PageTalk()
    talk.say("new", game="connect4", name="none", **WEAK)
    talk.say("move", at="4")
    talk.say("resign")
    assert talk.memory.summaries() == ()


def test_a_handicap_game_begins_with_white() -> None:
    talk = PageTalk()
    before, after = talk.say("new", handicap=3, **WEAK)
    assert before["phase"] == "engine"
    assert sum(map(sum, before["board"])) == 3
    assert (before["terms"]["komi"], before["terms"]["handicap"]) == (0.5, 3)
    assert after["phase"] == "yours"
    assert not after["can_undo"]
    same = resumed(talk, after)
    assert (same["moves"], same["board"]) == (after["moves"], after["board"])


def test_japanese_rules_count_prisoners() -> None:
    talk = PageTalk()
    # White's stone at A9 is taken; Black has one point for it, and one for its cell.
    moves = ["B9", "A9", "A8", "pass", "pass"]
    state = talk.state("resume", rules="japanese", width=9, height=9, moves=moves, **WEAK)
    assert state["phase"] == "counting"
    assert state["scores"] == [1, 0]
    assert state["terms"]["komi"] == 6.5
    agreed = talk.state("agree")
    assert agreed["result"]["text"] == state["counting"]["text"]


def test_a_new_game_of_another_kind_has_the_lease_of_its_network() -> None:
    boards: list[str] = []

    class Leases(StandInSource):
        def search_on(self, board: Board, /) -> Search:
            boards.append(board.name)
            return super().search_on(board)

    talk = PageTalk(source=Leases)
    for game in ("othello", "go", "connect4"):
        talk.say("new", game=game)
        assert boards[-1].startswith(game)


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


def test_the_networks_are_loaded_before_the_first_move() -> None:
    loaded: list[str] = []

    class Loads(StandInSource):
        def human_policy_on(self, board: Board, /) -> HumanPolicy | None:
            loaded.append(board.name)
            return None

    talk = PageTalk(source=Loads)
    talk.say("new", game="othello", **WEAK)
    assert loaded == ["othello8"]
    talk.say("undo")
    assert loaded == ["othello8"]


def test_the_operators_persona_is_the_usual_strength() -> None:
    talk = PageTalk(defaults=ClientDefaults(persona="full+style=centre"), is_user=False)
    state = talk.state("new", game="connect4")
    assert state["terms"]["strength"] == "full+style=centre"
    talk.say("strength", to="even")
    assert talk.state("strength", to="full+style=centre")["phase"] == "yours"
    assert talk.say("strength", to="full+style=edge")[0]["type"] == "error"


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
