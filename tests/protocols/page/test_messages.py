"""The codec of the page's messages: what it reads, what it refuses, what it writes."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from protocols.page.messages import (
    COMMANDS,
    LONGEST_MESSAGE,
    VERSION,
    MessageError,
    read,
    written,
)
from tests.support.page_talk import line_of


def test_it_reads_the_fields_of_a_message() -> None:
    command = read(line_of("new", game="go", width=13, komi=6.5, rules=None))
    assert command.name == "new"
    assert command.text("game") == "go"
    assert command.whole("width") == 13
    assert command.number("komi") == 6.5
    assert command.text("rules") == ""
    assert command.number("handicap") is None


@pytest.mark.parametrize(
    ("line", "text"),
    [
        ("", "JSON object"),
        ("[1]", "JSON object"),
        ("[" * 10_000, "JSON object"),
        (json.dumps({"type": "undo"}), "another version"),
        (json.dumps({"v": VERSION + 1, "type": "undo"}), "another version"),
        (line_of("fly"), "no message 'fly'"),
        (line_of("undo", plies=2), "no field 'plies'"),
        (line_of("move", at=4), "wrong 'at'"),
        (line_of("move", at="x" * 201), "wrong 'at'"),
        (line_of("move", at="D4\x00"), "wrong 'at'"),
        (line_of("new", width=-1), "wrong 'width'"),
        (line_of("new", width=True), "wrong 'width'"),
        (line_of("new", komi="six"), "wrong 'komi'"),
        (line_of("resume", moves=[1]), "wrong 'moves'"),
        (line_of("move", at="x" * LONGEST_MESSAGE), "at most"),
        ('{"v":1,"type":"new","komi":NaN}', "wrong 'komi'"),
    ],
)
def test_it_refuses_other_lines(line: str, text: str) -> None:
    with pytest.raises(MessageError, match=text):
        read(line)


TEXTS = st.text(max_size=9)
JSON = st.none() | st.booleans() | st.floats() | st.integers() | TEXTS | st.lists(TEXTS, max_size=3)
FIELDS = sorted({field for row in COMMANDS.values() for field in row})


@settings(suppress_health_check=[HealthCheck.too_slow])  # on a busy machine
@given(st.sampled_from(sorted(COMMANDS)), st.dictionaries(st.sampled_from(FIELDS), JSON))
def test_any_fields_are_read_or_refused(name: str, fields: dict[str, Any]) -> None:
    line = json.dumps({"v": VERSION, "type": name, **fields})
    try:
        command = read(line)
    except MessageError:
        return
    assert command.name == name


@given(st.text(max_size=60))
def test_any_line_is_read_or_refused(line: str) -> None:
    with pytest.raises(MessageError):
        read(line)


def test_a_message_is_one_line() -> None:
    line = written("error", text="a\nb é")
    assert line == '{"v":1,"type":"error","text":"a\\nb é"}\n'
