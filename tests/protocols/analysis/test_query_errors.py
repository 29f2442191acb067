"""The errors and warnings of queries, field by field, and answers to garbage."""

from __future__ import annotations

import json

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from protocols.analysis.scheduler import Scheduler
from protocols.lines import OverlongLine
from tests.support.analysis_talk import Json, Query, Talk

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


@settings(max_examples=150, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.dictionaries(FIELDS, VALUES, min_size=1, max_size=3))
def test_any_values_are_answered(scheduler: Scheduler, query: Query, fields: Json) -> None:
    talk = Talk(scheduler)
    request = query(**{"maxVisits": 2, **fields})
    talk.send(json.dumps(request))
    answers = talk.finish()
    assert answers or not fields.get("analyzeTurns", True)
    assert all(answer["id"] == "q" for answer in answers)
    assert not [answer for answer in answers if answer.get("error") == "internal error"]


@settings(max_examples=150, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.text(max_size=200) | st.text(alphabet='{}[]",:0123456789eE.-+ntrufalsid', max_size=60))
def test_any_text_is_answered_once(scheduler: Scheduler, text: str) -> None:
    talk = Talk(scheduler)
    for line in text.split("\n"):
        talk.send(line)
    lines = [line for line in text.split("\n") if line.strip()]
    assert len(talk.finish()) == len(lines)
