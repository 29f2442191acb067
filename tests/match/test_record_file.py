"""`--record FILE` leaves files of other content unchanged."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from engine.match.record import MatchRecord, RecordFileError

HEADER = {"game": "connect4", "players": ["random", "random"]}
LINE = json.dumps(HEADER) + "\n"
ROW = '{"game": 0, "winner": 1}\n'

FOREIGN = [
    # what the file holds; what is said
    ('{"a": 1}', "is no match record"),
    ('{"a": 1}\n', "holds another match"),
    ("a\nb\nlast", "is no match record"),
    ("notes", "is no match record"),
    ("[1, 2]\n[3", "is no match record"),
    ('{"game": "othello8"', "is no match record"),
    ('{"game": "othello8"}\n{"ga', "holds another match: its game is 'othello8'"),
    (LINE + ROW + ROW + '{"ga', "holds a game twice"),
    ("\xff\n", "is no match record"),
]


@pytest.mark.parametrize(("text", "words"), FOREIGN)
def test_a_file_that_is_no_such_record_stays_as_it_is(
    text: str, words: str, tmp_path: Path
) -> None:
    path = tmp_path / "notes"
    path.write_bytes(text.encode("latin-1"))
    with pytest.raises(RecordFileError, match=words):
        MatchRecord(path, HEADER)
    assert path.read_bytes() == text.encode("latin-1")


@pytest.mark.parametrize(
    ("text", "kept"),
    [("", LINE), (LINE[:20], LINE), (LINE + ROW, LINE + ROW), (LINE + ROW + ROW[:9], LINE + ROW)],
)
def test_a_record_that_a_kill_cut_short_is_gone_on_with(
    text: str, kept: str, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    path = tmp_path / "record.jsonl"
    path.write_text(text)
    MatchRecord(path, HEADER).close()
    assert path.read_text() == kept
    assert ("was cut short" in caplog.text) == (not text.endswith("\n") and text != "")
