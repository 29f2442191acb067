"""What queries are answered: the checklist of the protocol, errors field by field, garbage."""

from __future__ import annotations

import json
import math
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from engine.games.evaluator import Multipliers
from protocols.analysis.scheduler import Scheduler
from protocols.lines import OverlongLine
from tests.support.analysis_talk import Talk
from tests.support.stand_in import StandInSlot, uniform

Json = dict[str, Any]
Query = Callable[..., Json]

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


SIZE = "Must provide an integer from 2 to 19"
PAIRS = 'Must be an array of pairs of the form: ["b" or "w", GTP board vertex]'
RULES = (
    'Must specify rules string, such as "chinese" or "tromp-taylor", '
    "or a JSON object with detailed rules parameters."
)
KOMI = "Must be a integer or half-integer from -400.0 to 400.0"
RESTRICTION = "Must be a list of dicts with subfields 'player', 'moves', 'untilDepth'"
ONE = {"player": "B", "moves": ["D4"], "untilDepth": 1}
# fields changed (... leaves one out); the field named in the error; how its text begins
ERRORS: list[tuple[Json, str, str]] = [
    ({"boardXSize": ...}, "boardXSize", SIZE),
    ({"boardYSize": 20}, "boardYSize", SIZE),
    ({"boardXSize": 7.0}, "boardXSize", SIZE),
    ({"boardXSize": True}, "boardXSize", SIZE),
    ({"moves": ...}, "moves", "Must specify an array of [player,location] pairs"),
    ({"moves": 3}, "moves", PAIRS),
    ({"moves": [["B"]]}, "moves", PAIRS),
    ({"moves": [["B", 3]]}, "moves", PAIRS),
    ({"moves": [["green", "D4"]]}, "moves", "Could not parse player: green"),
    ({"moves": [["B", "Z9"]]}, "moves", "Could not parse board location: Z9"),
    ({"moves": [["B", "D4"], ["W", "D4"]]}, "moves", "Illegal move 1: D4"),
    ({"initialStones": [["B", "pass"]]}, "initialStones", "Could not parse board location: pass"),
    ({"initialStones": "D4"}, "initialStones", PAIRS),
    ({"initialPlayer": "x"}, "initialPlayer", 'Must be "b" or "w"'),
    ({"initialPlayer": []}, "initialPlayer", 'Must be "b" or "w"'),
    ({"analyzeTurns": [1]}, "analyzeTurns", "Invalid turn number: 1"),
    ({"analyzeTurns": [-1]}, "analyzeTurns", "Invalid turn number: -1"),
    ({"analyzeTurns": ["x"]}, "analyzeTurns", "Must specify an array of integers"),
    ({"analyzeTurns": 0}, "analyzeTurns", "Must specify an array of integers"),
    ({"priorities": [1]}, "priorities", "Can only specify when also specifying analyzeTurns"),
    ({"analyzeTurns": [0], "priorities": []}, "priorities", "Must be of matching length"),
    ({"analyzeTurns": [0], "priorities": [2**62]}, "priorities", "Invalid priority: 46116860"),
    ({"priority": 1, "priorities": [1]}, "priority", "Cannot specify both priority and prior"),
    ({"priority": 2**62}, "priority", "Must be a number between -2^62 and 2^62"),
    ({"game": "othello"}, "game", "Othello is not analysed by this protocol, only Go"),
    ({"game": "shogi"}, "game", "unknown game 'shogi'"),
    ({"game": 5}, "game", "unknown game '5'"),
    ({"rules": ...}, "rules", RULES),
    ({"rules": 3}, "rules", RULES),
    ({"rules": "checkers"}, "rules", "Could not parse rules: checkers"),
    ({"rules": {"ko": "NONE"}}, "rules", "Could not parse rules: "),
    ({"rules": {"gravity": 1}}, "rules", "Could not parse rules: "),
    ({"komi": 0.3}, "komi", KOMI),
    ({"komi": 401}, "komi", KOMI),
    ({"komi": "7.5"}, "komi", KOMI),
    ({"komi": None}, "komi", KOMI),
    ({"whiteHandicapBonus": 1}, "whiteHandicapBonus", "Must be a string"),
    ({"whiteHandicapBonus": "N+1"}, "whiteHandicapBonus", ""),
    ({"overrideSettings": []}, "overrideSettings", "Must be an object"),
    (
        {"overrideSettings": {"cpuctExploration": "x"}},
        "overrideSettings",
        "Could not set settings: cpuctExploration must be from 0 to 10, not 'x'",
    ),
    (
        {"overrideSettings": {"reportAnalysisWinratesAs": "GREEN"}},
        "overrideSettings",
        "Could not set settings: reportAnalysisWinratesAs is one of BLACK",
    ),
    (
        {"overrideSettings": {"humanSLProfile": "rank_5k"}},
        "overrideSettings",
        "humanSLProfile needs a network of human moves, and there is none for this board",
    ),
    ({"maxVisits": 0}, "maxVisits", "Must be an integer from 1 to 2^50"),
    ({"maxVisits": 1.5}, "maxVisits", "Must be an integer from 1 to 2^50"),
    ({"analysisPVLen": 0}, "analysisPVLen", "Must be an integer from 1 to 1000"),
    ({"rootFpuReductionMax": 3}, "rootFpuReductionMax", ""),
    ({"rootPolicyTemperature": 0}, "rootPolicyTemperature", ""),
    ({"includeOwnership": 1}, "includeOwnership", "Must be a boolean"),
    ({"includePolicy": "true"}, "includePolicy", "Must be a boolean"),
    ({"reportDuringSearchEvery": 0}, "reportDuringSearchEvery", "Must be number of seconds"),
    ({"allowMoves": [ONE], "avoidMoves": [ONE]}, "allowMoves", "Cannot specify both"),
    ({"allowMoves": [ONE, ONE]}, "allowMoves", "Cannot specify allowMoves more than once"),
    ({"avoidMoves": {}}, "avoidMoves", RESTRICTION),
    ({"avoidMoves": [{"player": "B"}]}, "avoidMoves", RESTRICTION),
    ({"avoidMoves": [{**ONE, "moves": ["Q16"]}]}, "moves", "Could not parse board location: Q16"),
    ({"avoidMoves": [{**ONE, "untilDepth": 0}]}, "untilDepth", "Must be a positive integer"),
]


@pytest.mark.parametrize(("fields", "field", "message"), ERRORS)
def test_errors_name_the_query_and_the_field(
    talk: Talk, query: Query, fields: Json, field: str, message: str
) -> None:
    (answer,) = talk.ask(query(**fields))
    assert answer.keys() == {"id", "field", "error"}
    assert (answer["id"], answer["field"]) == ("q", field)
    assert answer["error"].startswith(message)
    assert len(talk.finish()) == 1


def test_unknown_fields_and_settings_are_warned_about_and_the_query_goes_on(
    talk: Talk, query: Query
) -> None:
    override = {"gravity": 1, "maxTime": 5.0}
    answers = talk.ask(query(maxvisits=3, overrideSettings=override), answers=3)
    assert answers[0] == {
        "id": "q",
        "field": "overrideSettings",
        "warning": "Unknown config params: gravity",
    }
    assert answers[1]["field"] == "maxvisits"
    assert answers[1]["warning"].startswith("Unexpected or unused field")
    assert answers[2]["rootInfo"]["visits"] == 10


def test_a_setting_without_effect_is_warned_about_and_the_query_goes_on(
    talk: Talk, query: Query
) -> None:
    first, second = talk.ask(query(overrideSettings={"numSearchThreads": 4}), answers=2)
    assert first == {
        "id": "q",
        "field": "overrideSettings",
        "warning": "numSearchThreads changes no answer of Sparring",
    }
    assert second["rootInfo"]["visits"] == 10


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


TEXTS = (
    "id game rules komi whiteHandicapBonus initialPlayer initialStones moves boardXSize "
    "analyzeTurns priority overrideSettings maxVisits avoidMoves includePolicy action"
).split()
HALF = "\ud800"  # of a surrogate pair, which JSON can name and UTF-8 cannot hold


@pytest.mark.parametrize("value", [HALF, {"ko": HALF}, [["b", HALF]], [HALF, 1], {HALF: HALF}])
def test_half_a_surrogate_pair_costs_no_more_than_its_query(
    talk: Talk, query: Query, value: object
) -> None:
    for field in TEXTS:
        (answer, *_) = talk.ask(query(**{field: value}), {"id": "next", "action": "query_version"})
        assert answer.get("error") != "internal error"
    assert len([one for one in talk.finish() if one.get("id") == "next"]) == len(TEXTS)


def test_a_bug_is_answered_as_the_query_s_internal_error(
    talk: Talk, query: Query, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object) -> None:
        raise ZeroDivisionError

    monkeypatch.setattr("protocols.analysis.conversation.read_query", fail)
    assert talk.ask(query()) == [{"id": "q", "error": "internal error"}]


NOT_QUERIES = [
    ("", 0, ""),
    ("   ", 0, ""),
    ("nonsense", 1, "could not parse input line as json request: nonsense"),
    ('{"id": "a"', 1, "could not parse"),
    ('{"id": "a", "komi": NaN}', 1, "could not parse"),
    ("[" * 100_000, 1, "could not parse"),
    ("[]", 1, "was valid json but was not an object"),
    ("3", 1, "was valid json but was not an object"),
    ("{}", 1, 'Request must have a string "id" field'),
    ('{"id": 3}', 1, 'Request must have a string "id" field'),
    (OverlongLine('{"id": "long'), 1, "a line has more than"),
]


@pytest.mark.parametrize(("line", "count", "text"), NOT_QUERIES)
def test_what_is_no_query_is_an_error_without_an_id(
    talk: Talk, line: str, count: int, text: str
) -> None:
    talk.send(line)
    answers = talk.finish()
    assert len(answers) == count
    assert all(answer.keys() == {"error"} and text in answer["error"] for answer in answers)


VALUES = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False, allow_infinity=False)  # JSON has neither
    | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner),
    max_leaves=6,
)
FIELDS = st.sampled_from(
    """
    moves initialStones initialPlayer rules komi whiteHandicapBonus boardXSize boardYSize
    analyzeTurns maxVisits rootPolicyTemperature analysisPVLen includeOwnership avoidMoves
    allowMoves overrideSettings reportDuringSearchEvery priority priorities action terminateId
    turnNumbers
    """.split()
)


@settings(
    max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(st.dictionaries(FIELDS, VALUES, min_size=1, max_size=3))
def test_any_values_are_answered(scheduler: Scheduler, query: Query, fields: Json) -> None:
    talk = Talk(scheduler)
    request = query(**{"maxVisits": 2, **fields})
    talk.send(json.dumps(request))
    answers = talk.finish()
    assert answers or not fields.get("analyzeTurns", True)
    assert all(answer["id"] == "q" for answer in answers)
    assert not [answer for answer in answers if answer.get("error") == "internal error"]


@settings(
    max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(st.text(max_size=200) | st.text(alphabet='{}[]",:0123456789eE.-+ntrufalsid', max_size=60))
def test_any_text_is_answered_once(scheduler: Scheduler, text: str) -> None:
    talk = Talk(scheduler)
    for line in text.split("\n"):
        talk.send(line)
    lines = [line for line in text.split("\n") if line.strip()]
    assert len(talk.finish()) == len(lines)
