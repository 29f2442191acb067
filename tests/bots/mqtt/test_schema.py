"""The schema is one, it names every message, and it refuses what is none."""

from __future__ import annotations

from typing import Any

import pytest
from jsonschema import Draft202012Validator

from bots.mqtt.outgoing import presence
from bots.mqtt.schema import REQUESTS, fault_in, schema
from bots.mqtt.served_game import MqttGame
from bots.mqtt.topics import Topics
from tests.bots.mqtt.messages import checked

GAME = {"game": "e1.0123456789abcdef", "token": "x" * 24}
MINIMAL: dict[str, dict[str, Any]] = {
    "start": {"board": "go9"},
    "play": {**GAME, "move": "D4"},
    "genmove": GAME,
    "undo": GAME,
    "chat": {**GAME, "text": "why?"},
    "resign": GAME,
    "end": GAME,
    "state": {"game": GAME["game"]},
    "analyze": {"query": {"moves": []}},
}


def test_it_is_a_schema_and_has_every_request() -> None:
    Draft202012Validator.check_schema(schema())
    assert MINIMAL.keys() == set(REQUESTS)
    assert {"reply", "game_state", "presence", "fault"} <= schema()["$defs"].keys()


@pytest.mark.parametrize("kind", REQUESTS)
def test_each_request_needs_its_fields_and_knows_no_others(kind: str) -> None:
    fields = {"type": kind, **MINIMAL[kind]}
    assert fault_in(fields, kind) == ""
    assert "'colour'" in fault_in({**fields, "colour": 1}, kind)
    for name in MINIMAL[kind]:
        without = {key: value for key, value in fields.items() if key != name}
        assert f"'{name}' is a required property" in fault_in(without, kind)


WRONG = [
    ("start", {"board": "chess8"}),
    ("start", {"board": "go9", "komi": 6.3}),
    ("start", {"board": "go9", "komi": 1000}),
    ("start", {"board": "go9", "handicap": 1}),
    ("start", {"board": "go9", "handicap": True}),
    ("start", {"board": "go9", "color": "b"}),
    ("start", {"board": "go9", "persona": "/etc/passwd"}),
    ("start", {"board": "go9", "persona": "~/mine"}),
    ("start", {"board": "go9", "opponent": ""}),
    ("play", {**GAME, "move": "D4 D5"}),
    ("play", {**GAME, "move": 4}),
    ("play", {**GAME, "move": "D4", "number": -1}),
    ("play", {**GAME, "token": "x", "move": "D4"}),
    ("undo", {**GAME, "moves": 0}),
    ("chat", {**GAME, "text": "x" * 501}),
    ("state", {"game": "e1.XYZ"}),
    ("analyze", {"query": {"action": "clear_cache"}}),
    ("analyze", {"query": {"persona": "/etc/passwd"}}),
    ("analyze", {"query": {"reportDuringSearchEvery": 1}}),
    ("analyze", {"query": {"analyzeTurns": []}}),
    ("analyze", {"query": {"analyzeTurns": [[1]]}}),
    ("analyze", {"query": []}),
]


@pytest.mark.parametrize(("kind", "fields"), WRONG)
def test_wrong_values_are_refused(kind: str, fields: dict[str, Any]) -> None:
    assert fault_in({"type": kind, **fields}, kind)


def test_faults_are_short() -> None:
    assert len(fault_in({"type": "state", "game": "x" * 10_000}, "state")) <= 300


def test_presences_and_states_keep_to_it() -> None:
    topics = Topics("sparring", "e1", "sparring")
    checked(presence(topics, "lost", None), "presence")
    checked(presence(topics, "online", 1.5), "presence")
    game = MqttGame("e1.0123456789abcdef", "e1", "go9", "black", "x" * 24, time="2026-11-23")
    assert fault_in(game.public(), "game_state") == ""
    assert "token" not in game.public()
    assert MqttGame.from_json(game.as_json()) == game
