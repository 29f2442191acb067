"""The conversation with the page: games of each kind, terms, undo, counting, hints, files."""

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
from engine.search.search import Search
from engine.values import Limit
from protocols.conversation import ClientDefaults
from protocols.page.advice import hint_view
from protocols.page.conversation import HANDLERS
from protocols.page.messages import COMMANDS
from tests.support.page_talk import WEAK, PageTalk, StandInSource, line_of, resumed
from tests.support.stand_in import StandInEvaluator


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
