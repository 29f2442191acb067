"""`sparring opponents` and `sparring opponent`, as they are called."""

from __future__ import annotations

import json
import sqlite3
import time
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest

from engine import errors
from engine.games.table import Board
from engine.opponents.opponent_store import OpponentName
from engine.opponents.store.store import DatabaseStore
from protocols.cli import main
from tests.support.store.known import ANN, BOB, GAME, LARGE, SMALL, counted


@pytest.fixture
def place(tmp_path: Path) -> str:
    """A store with two opponents, one of them on two boards."""
    place = str(tmp_path / "opponents.sqlite3")
    store = DatabaseStore.open(place)
    for _ in range(12):
        store.revise(ANN, SMALL, counted)
    store.revise(ANN, LARGE, counted)
    store.revise(BOB, SMALL, counted)
    game = store.begin_game(GAME)
    store.note_result(game, "W+R", 1.0)
    store.begin_game(replace(GAME, moves=(), reasons=()))
    store.close()
    return place


def said(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    """What the command says; it must succeed."""
    assert main.dispatch(arguments) == 0
    return capsys.readouterr().out


def test_everybody_is_listed(place: str, capsys: pytest.CaptureFixture[str]) -> None:
    title, *rows = said(capsys, "opponents", "--store", place).splitlines()
    assert title.split() == ["opponent", "board", "strength,", "Elo", "games", "last"]
    words = sorted(row.split()[:-2] for row in rows)
    assert words == [
        ["Ann", "go19", "1", "(0..2),", "below", "20k", "0"],
        ["Ann", "go9", "12", "(10..14),", "below", "20k", "1"],
        ["Bob", "(cgos)", "go9", "1", "(0..2),", "below", "20k", "0"],
    ]


def test_another_game_has_no_rank(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    place = str(tmp_path / "opponents.sqlite3")
    store = DatabaseStore.open(place)
    store.revise(ANN, Board("othello", 8, 8), counted)
    store.close()
    _, row = said(capsys, "opponents", "--store", place).splitlines()
    assert row.split()[:-2] == ["Ann", "othello8", "1", "(0..2)", "0"]


def test_one_is_told_of(place: str, capsys: pytest.CaptureFixture[str]) -> None:
    text = said(capsys, "opponent", "Ann", "--store", place)
    assert "go9: 12 (10..14) Elo after 1 games, below 20k" in text
    assert "2 games kept, 1 of them finished" in text
    assert "we were White, 1 moves, even: W+R" in text
    assert "we were White, 0 moves, even: unfinished" in text


def test_all_is_exported(place: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "ann.json"
    said(capsys, "opponent", "Ann", "--store", place, "--export", str(path))
    shown = said(capsys, "opponent", "Ann", "--store", place, "--json")
    data = json.loads(path.read_text())
    assert data == json.loads(shown)
    assert (data["format"], data["name"], data["server"]) == (1, "Ann", "")
    assert [found["board"] for found in data["strengths"]] == ["go19", "go9"]
    strength = data["strengths"][1]
    assert strength["state"] == {"number": 12}
    assert [strength[key] for key in ("elo", "from", "to", "games")] == [12, 10.5, 13.5, 1]
    assert len(strength["history"]) == 12
    game, unfinished = data["games"]
    assert game["moves"] == [{"color": "White", "move": "E5", "reason": "the middle"}]
    assert game["setup"] == [["Black", "C7"], ["Black", "G3"]]
    assert (game["result"], game["our points"], game["our color"]) == ("W+R", 1.0, "White")
    assert game["terms"]["komi"] == 0.5
    assert unfinished["finished"] is None


def test_one_is_forgotten_and_nobody_else(place: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert said(capsys, "opponent", "Ann", "--store", place, "--delete") == "Ann is forgotten\n"
    assert "Ann" not in said(capsys, "opponents", "--store", place)
    assert main.dispatch(["opponent", "Ann", "--store", place]) == 1
    assert "nothing is remembered of 'Ann'" in capsys.readouterr().out
    said(capsys, "opponent", "Bob", "--server", "cgos", "--store", place, "--delete")
    assert said(capsys, "opponents", "--store", place) == "nobody is remembered yet\n"


def test_one_of_two_servers_must_be_chosen(place: str, capsys: pytest.CaptureFixture[str]) -> None:
    store = DatabaseStore.open(place)
    store.revise(OpponentName("Bob"), SMALL, counted)
    store.close()
    with pytest.raises(errors.UsageError, match=r"'Bob' is a name on several servers.*'', 'cgos'"):
        main.dispatch(["opponent", "Bob", "--store", place, "--delete"])
    said(capsys, "opponent", "Bob", "--server", "cgos", "--store", place, "--delete")
    assert "Bob" in said(capsys, "opponent", "Bob", "--store", place)


def test_where_nothing_was_kept_nothing_is_made(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    monkeypatch.delenv("SPARRING_STORE", raising=False)
    assert said(capsys, "opponents") == "nobody is remembered yet\n"
    assert list(tmp_path.iterdir()) == []


def test_the_environment_names_the_place(
    place: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SPARRING_STORE", place)
    assert "Ann" in said(capsys, "opponents")
    assert said(capsys, "opponents", "--store", "none") == "nobody is remembered yet\n"


BAD = [
    # arguments; what is said
    (["opponents", "--store", "mysql+nothing://u:hunter2@h/d"], "mysql"),
    (["opponent", "Ann", "--store", "{place}", "--export", "{place}/x"], "x.unfinished: Not a dir"),
    (["opponent", "a\tb", "--store", "{place}"], r"not a name: 'a\\tb'"),
]


@pytest.mark.parametrize(("arguments", "words"), BAD)
def test_what_cannot_be_done_is_told(place: str, arguments: list[str], words: str) -> None:
    with pytest.raises(errors.UsageError, match=words) as caught:
        main.dispatch([argument.format(place=place) for argument in arguments])
    assert "hunter2" not in str(caught.value)


def test_a_deletion_that_is_held_up_fails_soon_and_in_words(
    place: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("protocols.cli.opponents.BUSY_SECONDS", 0.1)
    with closing(sqlite3.connect(place, isolation_level=None)) as other:
        for begin, words in (("BEGIN IMMEDIATE", "locked"), ("BEGIN", "delete once more")):
            other.execute(begin)
            other.execute("SELECT count(*) FROM games").fetchall()
            began = time.monotonic()
            with pytest.raises(errors.UsageError, match=words):
                main.dispatch(["opponent", "Ann", "--store", place, "--delete"])
            assert time.monotonic() - began < 5
            other.execute("ROLLBACK")
    assert main.dispatch(["opponent", "Ann", "--store", place, "--delete"]) == 1
    assert not any(b"Ann" in path.read_bytes() for path in Path(place).parent.iterdir())
