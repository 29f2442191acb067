"""The answers to queries: the checklist of the protocol."""

from __future__ import annotations

import math
from dataclasses import replace

import pytest

from engine.games.evaluator import Multipliers
from tests.support.analysis_talk import Json, Query, Talk
from tests.support.stand_in import StandInSlot, uniform

MOVE_FIELDS = {
    "move",
    "visits",
    "edgeVisits",
    "winrate",
    "scoreMean",
    "scoreStdev",
    "scoreLead",
    "scoreSelfplay",
    "prior",
    "utility",
    "lcb",
    "utilityLcb",
    "weight",
    "edgeWeight",
    "order",
    "playSelectionValue",
    "pv",
}
ROOT_FIELDS = {
    "currentPlayer",
    "thisHash",
    "symHash",
    "visits",
    "winrate",
    "scoreLead",
    "scoreSelfplay",
    "scoreStdev",
    "utility",
    "weight",
    "rawWinrate",
    "rawLead",
    "rawScoreSelfplay",
    "rawScoreSelfplayStdev",
    "rawNoResultProb",
    "rawStWrError",
    "rawStScoreError",
    "rawVarTimeLeft",
}


def test_an_answer_has_the_fields_that_clients_read(talk: Talk, query: Query) -> None:
    (answer,) = talk.ask(query())
    assert answer.keys() == {"id", "turnNumber", "isDuringSearch", "moveInfos", "rootInfo"}
    assert (answer["id"], answer["turnNumber"], answer["isDuringSearch"]) == ("q", 0, False)
    assert answer["rootInfo"].keys() == ROOT_FIELDS
    assert answer["rootInfo"]["visits"] == 10
    assert answer["rootInfo"]["currentPlayer"] == "B"
    for order, move in enumerate(answer["moveInfos"]):
        assert move.keys() - {"isSymmetryOf"} == MOVE_FIELDS
        assert move["order"] == order
        assert move["pv"][0] == move["move"]


def test_moves_equal_by_symmetry_share_one_search_unless_told_otherwise(
    talk: Talk, query: Query
) -> None:
    (answer,) = talk.ask(query(maxVisits=40))
    images = [move for move in answer["moveInfos"] if "isSymmetryOf" in move]
    originals = {move["move"]: move for move in answer["moveInfos"] if move not in images}
    assert images
    assert sum(move["visits"] for move in originals.values()) == 39
    for move in images:
        assert move["visits"] == originals[move["isSymmetryOf"]]["visits"]
        assert move["winrate"] == originals[move["isSymmetryOf"]]["winrate"]
    (answer,) = talk.ask(query(maxVisits=40, overrideSettings={"rootSymmetryPruning": False}))
    assert not any("isSymmetryOf" in move for move in answer["moveInfos"])


def test_the_network_does_not_see_the_moves_before_the_analyzed_position_unless_told_otherwise(
    talk: Talk, query: Query
) -> None:
    shown: set[int] = set()

    def evaluate(slot: StandInSlot, row: int) -> None:
        shown.add(int(slot.spatial[row, 9:14].sum()))
        uniform(slot, row)

    talk.evaluator.evaluate = evaluate
    moves = [["B", "D4"], ["W", "C3"], ["B", "E5"]]
    talk.ask(query(moves=moves, maxVisits=1))
    assert shown == {0}
    talk.ask(query(moves=moves, maxVisits=1, overrideSettings={"ignorePreRootHistory": False}))
    assert shown == {0, 3}


def test_the_error_of_the_win_rate_is_half_of_that_of_the_win_loss_value(
    talk: Talk, query: Query
) -> None:
    (answer,) = talk.ask(query(maxVisits=1))
    assert answer["rootInfo"]["rawStWrError"] == -1  # the stand-in has no such output
    talk.evaluator.network = replace(talk.evaluator.network, version=15)
    (answer,) = talk.ask(query(maxVisits=1))
    # KataGo 1.17.2 writes nnOutput->shorttermWinlossError * 0.5; its raw output of 0 means this.
    win_loss_error = math.sqrt(Multipliers().win_loss_error) * math.log(2)
    assert answer["rootInfo"]["rawStWrError"] == pytest.approx(win_loss_error / 2, abs=1e-6)


def test_includes_add_their_fields(talk: Talk, query: Query) -> None:
    includes = {
        "includeOwnership": ("ownership", 42),
        "includeOwnershipStdev": ("ownershipStdev", 42),
        "includePolicy": ("policy", 43),
    }
    of_moves = {
        "includeMovesOwnership": ("ownership", 42),
        "includeMovesOwnershipStdev": ("ownershipStdev", 42),
        "includePVVisits": ("pvVisits", None),
        "includeNoResultValue": ("noResultValue", None),
    }
    wanted = dict.fromkeys([*includes, *of_moves], True)
    (answer,) = talk.ask(query(boardYSize=6, moves=[["B", "A6"]], **wanted))
    for name, length in includes.values():
        assert len(answer[name]) == length
    assert answer["policy"][0] == -1  # occupied: A6 is the top left point
    assert sum(value for value in answer["policy"] if value > 0) == pytest.approx(1, abs=1e-3)
    for move in answer["moveInfos"]:
        for name, least in of_moves.values():
            assert least is None or len(move[name]) == least
        assert len(move["pvVisits"]) == len(move["pvEdgeVisits"]) == len(move["pv"])
    none = dict.fromkeys([*includes, *of_moves], False)
    (answer,) = talk.ask(query(**none))
    assert answer.keys() == {"id", "turnNumber", "isDuringSearch", "moveInfos", "rootInfo"}


# The stand-in network always favors the side to move by five points.
VIEWS = [
    # reportAnalysisWinratesAs, moves, whether the numbers favor the side that is asked about
    ("BLACK", [], True),
    ("BLACK", [["B", "D4"]], False),
    ("WHITE", [], False),
    ("WHITE", [["B", "D4"]], True),
    ("SIDETOMOVE", [], True),
    ("SIDETOMOVE", [["B", "D4"]], True),
]


@pytest.mark.parametrize(("view", "moves", "ahead"), VIEWS)
def test_numbers_take_the_view_asked_for(
    talk: Talk, query: Query, view: str, moves: list[list[str]], ahead: bool
) -> None:
    override = {"reportAnalysisWinratesAs": view}
    (answer,) = talk.ask(
        query(moves=moves, overrideSettings=override, maxVisits=1, includeOwnership=True)
    )
    root = answer["rootInfo"]
    assert (root["winrate"] > 0.5) == (root["rawWinrate"] > 0.5) == ahead
    assert (root["scoreLead"] > 0) == (root["utility"] > 0) == ahead
    assert all((value > 0) == ahead for value in answer["ownership"])


def test_black_s_view_is_the_default(talk: Talk, query: Query) -> None:
    (answer,) = talk.ask(query(moves=[["B", "D4"]], maxVisits=1))
    assert answer["rootInfo"]["winrate"] < 0.5


def test_every_turn_gets_one_final_answer(talk: Talk, query: Query) -> None:
    moves = [["B", "D4"], ["W", "C3"], ["B", "pass"], ["W", "(0,0)"]]
    answers = talk.ask(query(moves=moves, analyzeTurns=[0, 2, 4, 2]), answers=3)
    assert sorted(answer["turnNumber"] for answer in answers) == [0, 2, 4]
    assert [a["rootInfo"]["currentPlayer"] for a in answers] == ["B", "B", "B"]
    assert len(talk.finish()) == 3


def test_only_the_last_turn_without_analyze_turns(talk: Talk, query: Query) -> None:
    (answer,) = talk.ask(query(moves=[["B", "D4"], ["W", "C3"]]))
    assert answer["turnNumber"] == 2


FIRST_PLAYERS = [
    ({}, "B"),
    ({"initialPlayer": "W"}, "W"),
    ({"initialStones": [["B", "D4"]]}, "B"),
    ({"initialStones": [["B", "D4"], ["B", "C3"]]}, "W"),
    ({"initialStones": [["B", "D4"], ["W", "C3"]]}, "B"),
    ({"moves": [["W", "D4"]], "analyzeTurns": [0]}, "W"),
    ({"moves": [["B", "D4"], ["B", "C3"]]}, "W"),
]


@pytest.mark.parametrize(("fields", "player"), FIRST_PLAYERS)
def test_who_moves_first(talk: Talk, query: Query, fields: Json, player: str) -> None:
    (answer,) = talk.ask(query(**fields))
    assert answer["rootInfo"]["currentPlayer"] == player


def test_moves_are_allowed_and_avoided(talk: Talk, query: Query) -> None:
    allowed = [{"player": "B", "moves": ["C3", "D4", "pass"], "untilDepth": 1}]
    (answer,) = talk.ask(query(allowMoves=allowed, maxVisits=40))
    assert {move["move"] for move in answer["moveInfos"]} <= {"C3", "D4", "pass"}
    avoided = [{"player": "b", "moves": ["D4"], "untilDepth": 3}]
    (answer,) = talk.ask(query(avoidMoves=avoided, maxVisits=120))
    assert "D4" not in {move["move"] for move in answer["moveInfos"]}


def test_a_finished_game_can_be_analyzed(talk: Talk, query: Query) -> None:
    (answer,) = talk.ask(query(moves=[["B", "pass"], ["W", "pass"]]))
    assert answer["moveInfos"]


def test_the_length_of_variations_is_limited(talk: Talk, query: Query) -> None:
    allowed = [
        {"player": "B", "moves": ["D4"], "untilDepth": 1},
        {"player": "W", "moves": ["C3"], "untilDepth": 2},
    ]
    (answer,) = talk.ask(query(allowMoves=allowed, maxVisits=60, analysisPVLen=1))
    assert answer["moveInfos"][0]["pv"] == ["D4", "C3"]


def test_playout_doublings_need_a_network_that_was_trained_with_them(
    talk: Talk, query: Query
) -> None:
    wanted = {"playoutDoublingAdvantage": 1.5, "playoutDoublingAdvantagePla": "BLACK"}
    (answer,) = talk.ask(query(overrideSettings=wanted))
    assert answer["field"] == "overrideSettings"
    assert answer["error"].startswith("playoutDoublingAdvantage needs a network of KataGo's")
    told: set[float] = set()

    def evaluate(slot: StandInSlot, row: int) -> None:
        told.add(float(slot.globals[row, 16]))
        uniform(slot, row)

    talk.evaluator.evaluate = evaluate
    talk.evaluator.network = replace(talk.evaluator.network, uses_doublings=True)
    (answer,) = talk.ask(query(overrideSettings=wanted))
    assert answer["rootInfo"]["visits"] == 10
    assert told == {0.75, -0.75}
