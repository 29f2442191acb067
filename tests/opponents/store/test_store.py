"""What a store on disk does beside remembering: lists, deletion, privacy, errors."""

from __future__ import annotations

import sqlite3
import traceback
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import pytest
from alembic import command
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import Connection, create_engine, func, inspect, select, text

from engine.opponents.opponent_store import NewMoves, OpponentEntry, OpponentName, StoreError
from engine.opponents.store import database, models
from engine.opponents.store.place import StoreLocation
from engine.opponents.store.store import DatabaseStore
from tests.opponents.store.conftest import empty_place
from tests.support.store.known import ANN, BOB, GAME, LARGE, SMALL, counted
from tests.support.store.postgres import PASSWORD, URL_PASSWORD

NOON = datetime(2026, 7, 1, 12, tzinfo=UTC)
MIGRATIONS = Path(database.__file__).parent / "migrations"


@contextmanager
def connected(place: str) -> Iterator[Connection]:
    engine = create_engine(StoreLocation.named(place).url)
    with engine.connect() as connection:
        yield connection
    engine.dispose()


def test_all_opponents_are_listed_the_latest_first(store: DatabaseStore) -> None:
    store.revise(ANN, SMALL, counted)
    store.revise(ANN, LARGE, counted)
    store.begin_game(GAME)
    store.revise(BOB, SMALL, counted)
    store.begin_game(GAME)
    shown = [(found.opponent, found.board) for found in store.summaries()]
    assert sorted(shown[:2]) == [(ANN, LARGE.name), (ANN, SMALL.name)]
    assert shown[2:] == [(BOB, SMALL.name)]
    assert store.names() == (ANN, BOB)
    assert store.names("Bob") == (BOB,)
    assert store.names("Carol") == ()
    assert store.boards(ANN) == (LARGE, SMALL)
    assert len(store.games(ANN)) == 2


def test_an_opponent_without_a_finished_game_is_listed(store: DatabaseStore) -> None:
    store.begin_game(GAME)
    ((found),) = store.summaries()
    assert (found.opponent, found.board, found.known) == (ANN, "", None)


def test_another_processs_change_is_not_overwritten(place: str) -> None:
    """Even where both were told the same time."""
    stores = [DatabaseStore.open(place, now=lambda: NOON) for _ in range(2)]
    for number in (0, 0, 1, 1, 0, 1):
        stores[number].revise(ANN, SMALL, counted)
    known = stores[0].recall(ANN, SMALL)
    assert known is not None
    assert known.state == {"number": 6}
    stores[1].delete(ANN)
    stores[0].revise(ANN, SMALL, counted)
    known = stores[1].recall(ANN, SMALL)
    assert known is not None
    assert known.state == {"number": 1}
    for store in stores:
        store.close()


def test_a_game_begins_while_another_process_changes_the_strength(
    request: pytest.FixtureRequest,
) -> None:
    """A lock of the opponent in a change could be a deadlock."""
    place = empty_place("postgresql", request) + "?options=-clock_timeout%3D5000"
    with closing(DatabaseStore.open(place)) as store, closing(DatabaseStore.open(place)) as other:
        other.revise(ANN, SMALL, counted)

        def change(known: OpponentEntry | None) -> OpponentEntry:
            other.begin_game(GAME)
            return counted(known)

        assert store.revise(ANN, SMALL, change).state == {"number": 2}
        assert len(store.unfinished(ANN)) == 1


def test_the_writes_of_a_move_are_quick(
    store: DatabaseStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = store.begin_game(GAME)
    store.revise(ANN, SMALL, counted, game=game)
    monkeypatch.delattr(database.Database, "writing")
    for start in (1, 3):
        store.note_moves(game, NewMoves(start, [(0, 41)], [""]))
        new = NewMoves(start + 1, [(1, 42)], ["an answer\u2026"])
        store.revise(ANN, SMALL, counted, game=game, new=new)
    store.revise(ANN, SMALL, counted)
    known, ((_, kept),) = store.recall(ANN, SMALL), store.unfinished(ANN)
    assert known is not None
    assert known.state == {"number": 4}
    assert kept.moves == ((1, 40), (0, 41), (1, 42), (0, 41), (1, 42))
    assert kept.reasons[-1] == "an answer\u2026"
    moments = store.history(ANN, SMALL)
    assert [moment.estimate.mean for moment in moments] == [3, 4]
    assert all(moment.time.tzinfo is not None for moment in moments)


def test_a_store_forgets_nothing_of_many(
    store: DatabaseStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("engine.opponents.store.store.MOST_WRITTEN", 2)
    names = [OpponentName(name) for name in "abc"]
    for name in names * 3:
        store.revise(name, SMALL, counted)
    states = [store.recall(name, SMALL) for name in names]
    assert [known and known.state for known in states] == [{"number": 3}] * 3


def test_a_deleted_opponent_leaves_nothing_behind(place: str, store: DatabaseStore) -> None:
    for name in (ANN, BOB):
        game = store.begin_game(replace(GAME, opponent=name))
        store.revise(name, SMALL, counted, game=game)
    (number, _), *_ = store.games(ANN)
    assert store.delete(ANN)
    assert not store.delete(ANN)
    store.note_moves(number, NewMoves(0, [(0, 1)], [""]))  # its game goes on somewhere
    store.note_result(number, "B+R", 0.0)
    assert store.names() == (BOB,)
    with connected(place) as connection:
        for table in (models.OpponentRow, models.Strength, models.GameRow, models.Estimated):
            assert connection.scalar(select(func.count()).select_from(table)) == 1
        assert connection.scalar(select(func.count()).select_from(models.MoveRow)) == 1
    # and what is learned there is a new beginning
    store.revise(ANN, SMALL, counted, game=number, new=NewMoves(2, [(0, 1)], [""]))
    known = store.recall(ANN, SMALL)
    assert known is not None
    assert known.state == {"number": 1}


def test_a_deleted_name_is_in_no_file(tmp_path: Path) -> None:
    store = DatabaseStore.open(str(tmp_path / "opponents.sqlite3"))
    name = OpponentName("Unforgettable")
    store.revise(name, SMALL, counted)
    assert any(b"Unforgettable" in path.read_bytes() for path in tmp_path.iterdir())
    store.delete(name)
    assert not any(b"Unforgettable" in path.read_bytes() for path in tmp_path.iterdir())
    store.close()


def test_a_deletion_held_up_by_another_process_is_reported_and_done_later(tmp_path: Path) -> None:
    path = tmp_path / "opponents.sqlite3"
    store = DatabaseStore.open(str(path), busy_seconds=0.1)
    name = OpponentName("Unforgettable")
    store.revise(name, SMALL, counted)
    with closing(sqlite3.connect(path, isolation_level=None)) as reader:
        reader.execute("BEGIN")
        reader.execute("SELECT count(*) FROM games").fetchall()
        with pytest.raises(StoreError, match="still in the log of the file"):
            store.delete(name)
        assert any(b"Unforgettable" in each.read_bytes() for each in tmp_path.iterdir())
    store.forget_deleted()
    assert not any(b"Unforgettable" in each.read_bytes() for each in tmp_path.iterdir())
    store.close()


def test_the_number_of_a_deleted_game_is_no_other_games(store: DatabaseStore) -> None:
    deleted = store.begin_game(GAME)
    store.delete(ANN)
    other = store.begin_game(replace(GAME, opponent=BOB))
    store.note_moves(deleted, NewMoves(0, [(0, 1)], [""]))
    store.note_result(deleted, "B+R", 0.0)
    ((number, game),) = store.unfinished(BOB)
    assert (number, game.moves) == (other, GAME.moves)


def test_only_the_user_can_read_the_files(tmp_path: Path) -> None:
    path = tmp_path / "data" / "deeper" / "opponents.sqlite3"
    store = DatabaseStore.open(str(path))
    store.revise(ANN, SMALL, counted)
    assert path.parent.stat().st_mode & 0o077 == 0
    files = list(path.parent.iterdir())
    assert len(files) == 3  # SQLite's log and index beside it
    assert all(file.stat().st_mode & 0o077 == 0 for file in files)
    store.close()


def test_the_next_process_reads_the_store(place: str, store: DatabaseStore) -> None:
    store.revise(ANN, SMALL, counted)
    store.close()
    again = DatabaseStore.open(place)
    again.revise(ANN, SMALL, counted)
    known = again.recall(ANN, SMALL)
    again.close()
    assert known is not None
    assert known.state == {"number": 2}


# ---- The schema


def test_the_steps_of_the_schema_lead_to_the_models(place: str, store: DatabaseStore) -> None:
    with connected(place) as connection:
        assert compare_metadata(MigrationContext.configure(connection), models.Base.metadata) == []
    script = ScriptDirectory(str(MIGRATIONS))
    known = [step.revision for step in script.walk_revisions()]
    assert tuple(reversed(known)) == database.REVISIONS


def test_the_schema_goes_down_and_up_again(place: str, store: DatabaseStore) -> None:
    with connected(place) as connection:
        command.downgrade(database.migrations(connection), "base")
        assert inspect(connection).get_table_names() == ["alembic_version"]
        connection.commit()
    again = DatabaseStore.open(place)
    again.revise(ANN, SMALL, counted)
    again.close()


def test_a_newer_programs_store_is_left_alone(place: str, store: DatabaseStore) -> None:
    with connected(place) as connection:
        connection.execute(text("UPDATE alembic_version SET version_num = '9999'"))
        connection.commit()
    with pytest.raises(StoreError, match="newer version of Sparring"):
        DatabaseStore.open(place)


def test_a_store_of_the_first_schema_is_brought_up_to_date(
    place: str, store: DatabaseStore
) -> None:
    store.revise(ANN, SMALL, counted)
    with connected(place) as connection:
        command.downgrade(database.migrations(connection), "0001")
        connection.commit()
    again = DatabaseStore.open(place)
    assert again.names() == (ANN,)
    known = again.recall(ANN, SMALL)
    assert known is not None
    assert known.state == {"number": 1}
    again.close()


def test_the_shown_name_of_an_account_follows_its_changes(store: DatabaseStore) -> None:
    for alias in ("Ann", "Bea"):
        store.begin_game(replace(GAME, opponent=OpponentName("123", "ogs", alias)))
    ((name),) = store.names()
    assert (name.name, name.server, name.alias) == ("123", "ogs", "Bea")
    assert store.names("Bea") == store.names("123") == (name,)
    assert store.names("Ann") == ()
    store.begin_game(replace(GAME, opponent=OpponentName("123", "ogs")))  # without its name
    assert store.names()[0].alias == "Bea"


# ---- What cannot be opened


def test_a_folder_that_cannot_be_made_is_reported(tmp_path: Path) -> None:
    (tmp_path / "home").write_text("a file")
    path = tmp_path / "home" / "sparring" / "opponents.sqlite3"
    with pytest.raises(StoreError, match=r"opponents.sqlite3: Not a directory"):
        DatabaseStore.open(str(path))


def test_a_file_that_is_no_database_is_reported_and_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "letter.txt"
    path.write_text("Dear Ann, " * 100)
    with pytest.raises(StoreError, match=r"letter.txt: file is not a database"):
        DatabaseStore.open(str(path))
    assert path.read_text() == "Dear Ann, " * 100


def test_a_broken_database_is_reported(tmp_path: Path) -> None:
    path = tmp_path / "opponents.sqlite3"
    store = DatabaseStore.open(str(path))
    with sqlite3.connect(path) as connection:
        connection.execute("DROP TABLE strengths")
    connection.close()
    with pytest.raises(StoreError, match=r"opponents.sqlite3: no such table: strengths") as caught:
        store.recall(ANN, SMALL)
    assert "Ann" not in str(caught.value)
    store.close()


BAD_PLACES = [
    # what was given; what the error says
    ("nosuchdb://u:hunter2@h/d", "nosuchdb"),
    ("://hunter2", "not the URL of a database"),
    ("postgresql://u:hunter2@h:port/d", "not the URL of a database"),
    ("sqlite://", "needs a file's path"),
    ("sqlite:///:memory:", "needs a file's path"),
    ("postgresql://u:hunter2@127.0.0.1:1/d?application_name=x", "127.0.0.1"),
    ("postgresql://u@127.0.0.1:1/d?password=hunter2", "127.0.0.1"),
    ("postgresql://u@127.0.0.1:1/d?hunter2=hunter2", "127.0.0.1"),
]


@pytest.mark.parametrize(("place", "words"), BAD_PLACES)
def test_a_bad_location_is_reported_without_its_password(place: str, words: str) -> None:
    with pytest.raises(StoreError, match=words) as caught:
        DatabaseStore.open(place)
    assert "hunter2" not in str(caught.value)
    text_ = "".join(traceback.format_exception(caught.value))
    assert "hunter2" not in text_.replace(repr(place), "")


def test_a_wrong_password_is_reported_without_it(postgres: str) -> None:
    with pytest.raises(StoreError, match="authentication failed") as caught:
        DatabaseStore.open(postgres.replace(URL_PASSWORD, "hunter2"))
    assert "hunter2" not in str(caught.value)


@pytest.mark.parametrize("how", [str, repr])
def test_a_place_is_shown_without_secrets(how: type) -> None:
    place = StoreLocation.named(f"postgresql://u:{URL_PASSWORD}@host/name?sslpassword=hunter2")
    assert "u:***@host/name" in how(place)
    for secret in (PASSWORD, URL_PASSWORD, "hunter2"):
        assert secret not in how(place)
        assert secret not in place.without_secrets(f"bad {secret}")


def test_a_path_is_a_place_and_shown_as_it_is(tmp_path: Path) -> None:
    path = tmp_path / "my opponents.db"
    for text_ in (str(path), f"sqlite:///{path}"):
        assert str(StoreLocation.named(text_)) == str(path)
