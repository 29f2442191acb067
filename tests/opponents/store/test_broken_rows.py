"""Rows that hold what they cannot: each is told once, taken for unknown, and stops nobody."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest

from engine.errors import SettingError
from engine.games.game_settings import PlainSettings
from engine.opponents.opponent_store import NewMoves, StoredGame, TransientStore
from engine.opponents.store.export import exported
from engine.opponents.store.store import DatabaseStore
from tests.opponents.test_opponent_record import session_with
from tests.support.store.known import ANN, BOB, SMALL, counted

MOVES = tuple((number % 2, number) for number in range(6))
CONNECT4 = StoredGame(ANN, PlainSettings("connect4"), 7, 6, color=1, moves=MOVES, reasons=("",) * 6)

BROKEN = [
    # table, column, value
    *(("strengths", "state", value) for value in ("{bad", "[1,2]", "7", "null", "NaN", "[" * 9999)),
    *(("strengths", "games", value) for value in ("x", -(10**18), 1.5, b"\x00")),
    *(("strengths", name, value) for name in ("mean", "low") for value in ("x", 1e300, 10**18)),
    *(("strengths", "updated", value) for value in ("yesterday", 12, b"\xff")),
    *(("strengths", "board", value) for value in ("zzz", "", 5)),
    *(("estimates", "mean", value) for value in ("x", -1e300)),
    *(("estimates", "time", value) for value in ("", 3.5)),
    *(("games", "board", value) for value in ("zzz", "go99", 5)),
    *(("games", "terms", value) for value in ("{bad", "[]", "null")),
    *(("games", "setup", value) for value in ("{bad", "[[1]]", "[7]", '{"a": 1}', '[["x", 1]]')),
    *(("games", "started", value) for value in ("noon", 7)),
    *(("games", "finished", value) for value in ("noon", 7)),
    *(("games", "points", value) for value in ("x", 1e300)),
    *(("games", "first_to_move", value) for value in ("x", 10**18)),
    ("games", "result", b"\xff"),
    ("moves", "move", "x"),
    ("moves", "move", 10**18),
    ("moves", "reason", b"\xff"),
    ("opponents", "name", "a\nb"),
    ("opponents", "name", b"\xff"),
    ("opponents", "since", "noon"),
]


def store_with_all(path: Path) -> Iterator[DatabaseStore]:
    store = DatabaseStore.open(str(path))
    for name in (ANN, BOB):
        game = store.begin_game(replace(CONNECT4, opponent=name))
        store.revise(name, SMALL, counted, game=game)
    yield store
    store.close()


def change(path: Path, sql: str, *values: object) -> None:
    with closing(sqlite3.connect(path)) as connection:
        connection.execute(sql, values)
        connection.commit()


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "opponents.sqlite3"


@pytest.fixture
def store(path: Path) -> Iterator[DatabaseStore]:
    """Ann and Bob, with a strength and an unfinished game each."""
    yield from store_with_all(path)


@pytest.mark.parametrize(("table", "column", "value"), BROKEN)
def test_a_broken_row_stops_no_game(  # noqa: PLR0917
    store: DatabaseStore,
    path: Path,
    table: str,
    column: str,
    value: object,
    caplog: pytest.LogCaptureFixture,
) -> None:
    first = f"(SELECT min(rowid) FROM {table})"  # noqa: S608
    change(path, f"UPDATE {table} SET {column} = ? WHERE rowid = {first}", value)  # noqa: S608
    for _ in range(2):
        store.recall(ANN, SMALL)
        store.history(ANN, SMALL)
        store.unfinished(ANN)
        store.boards(ANN)
        store.names()
        store.summaries()
        exported(store, ANN)
        assert exported(store, BOB)["games"]
        assert [found.opponent for found in store.summaries()].count(BOB) == 1
    said = [message for message in caplog.messages if table in message]
    assert len(said) == (0 if (table, column) == ("opponents", "since") else 1)
    with closing(DatabaseStore.open(str(path))) as other:
        other.revise(ANN, SMALL, counted)
        assert other.recall(ANN, SMALL) is not None
    store.revise(ANN, SMALL, counted)
    ((number, _),) = store.unfinished(BOB)
    store.note_moves(number, NewMoves(6, [(0, 6)], [""]))
    store.note_result(number, "B+R", 0.0)


def test_games_with_a_gap_or_an_illegal_move_are_not_resumed(
    store: DatabaseStore, path: Path
) -> None:
    ((first, _),), ((second, _),) = store.unfinished(ANN), store.unfinished(BOB)
    change(path, "DELETE FROM moves WHERE game_id = ? AND number IN (2, 3)", first)
    change(path, "UPDATE moves SET move = 99 WHERE game_id = ? AND number = 1", second)
    faults = [
        "its record lacks move 3",
        "its record cannot be played: move 99 is not one of 0..6 of this 7x6 board",
    ]
    for name, fault in zip((ANN, BOB), faults, strict=True):
        ((number, game),) = store.unfinished(name)
        assert game.fault == fault
        session = session_with(TransientStore())
        session.play(0, 3)
        with pytest.raises(SettingError, match=f"the game cannot be resumed: {fault}"):
            session.resume(number, game)
        assert session.game.moves == ((0, 3),)
