"""A store on disk that is locked, full, slow, deleted or broken while a game goes on."""

from __future__ import annotations

import logging
import sqlite3
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from sqlalchemy import event

from engine.opponents.fallback_store import FallbackStore
from engine.opponents.store.store import DatabaseStore
from engine.util.operation_queue import PATIENCE_SECONDS
from tests.support.store.known import ANN, SMALL, counted
from tests.support.store.notes import MOVE_SECONDS, PLAYED, blank, drain, kept, lock, play, until

pytestmark = pytest.mark.usefixtures("impatient")
LONG = "a reason " * 1000  # more than a page


def fill(_path: Path, store: DatabaseStore) -> Callable[[], None]:
    """No page finds room any more, as on a full disk; returns what makes room."""
    database = store._database

    pages = [1]  # as many as there are

    def limit(connection: sqlite3.Connection, _record: object) -> None:
        connection.execute(f"PRAGMA max_page_count={pages[0]}")

    event.listen(database._engine, "connect", limit)
    database.close()  # its connections are made anew

    def make_room() -> None:
        pages[0] = 1_000_000
        database.close()

    return make_room


def slow(_path: Path, store: DatabaseStore) -> Callable[[], None]:
    """Each statement takes longer than anybody waits; returns what ends that."""

    seconds = [2 * PATIENCE_SECONDS]

    def sleep(*_: object) -> None:
        time.sleep(seconds[0])

    store._database.close()
    event.listen(store._database._engine, "checkout", sleep)
    event.listen(store._database._engine, "checkin", sleep)

    def speed_up() -> None:
        seconds[0] = 0

    return speed_up


@pytest.mark.parametrize("trouble", [lock, fill, slow])
def test_a_store_in_trouble_delays_no_move_and_is_whole_afterwards(
    trouble: Callable[[Path, DatabaseStore], Callable[[], None]],
    tmp_path: Path,
) -> None:
    path = tmp_path / "opponents.sqlite3"
    store = DatabaseStore.open(str(path), busy_seconds=0.02)
    memory = FallbackStore(lambda: store)
    memory.open()
    game = memory.begin_game(blank())
    play(memory, game, range(2))
    drain(memory)
    end = trouble(path, store)
    assert play(memory, game, range(2, 4), LONG) < MOVE_SECONDS
    began = time.monotonic()
    assert memory.recall(ANN, SMALL) is not None
    assert time.monotonic() - began < MOVE_SECONDS
    time.sleep(0.1)
    assert play(memory, game, range(4, 6)) < MOVE_SECONDS
    end()
    other = DatabaseStore.open(str(path))
    until(lambda: len(kept(other).moves) == 6)
    play(memory, game, range(6, 8))
    memory.close()
    assert kept(other).moves == tuple(PLAYED)
    known = other.recall(ANN, SMALL)
    other.close()
    assert known is not None
    assert known.state == {"number": 8}


def delete(path: Path) -> None:
    """Somebody removes the store."""
    for each in path.parent.iterdir():
        each.unlink()


def put_another(path: Path) -> None:
    """Somebody puts an older store there."""
    delete(path)
    DatabaseStore.open(str(path)).close()


@pytest.mark.parametrize("harm", [delete, put_another])
def test_a_store_that_is_deleted_in_a_game_is_begun_anew(
    harm: Callable[[Path], None], tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    path = tmp_path / "opponents.sqlite3"
    memory = FallbackStore(lambda: DatabaseStore.open(str(path)))
    memory.open()
    game = memory.begin_game(blank())
    play(memory, game, range(3))
    drain(memory)
    harm(path)
    play(memory, game, range(3, 5))
    memory.note_result(game, "B+R", 0.0)
    game = memory.begin_game(blank())
    play(memory, game, range(2))
    memory.close()
    assert "was deleted or replaced: a new file is opened" in caplog.text
    again = DatabaseStore.open(str(path))
    assert kept(again).moves == tuple(PLAYED[:2])
    known = again.recall(ANN, SMALL)
    again.close()
    assert known is not None
    assert known.state == {"number": 4}


def test_a_store_that_breaks_in_a_game_stops_no_move(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    path = tmp_path / "opponents.sqlite3"
    store = DatabaseStore.open(str(path))
    memory = FallbackStore(lambda: store)
    game = memory.begin_game(blank())
    play(memory, game, range(2))
    drain(memory)
    store.forget_deleted()  # all of it into the file itself
    store.close()
    path.write_bytes(path.read_bytes()[:4096] + b"\x7f" * (path.stat().st_size - 4096))
    assert play(memory, game, range(2, 6)) < MOVE_SECONDS
    memory.recall(ANN, SMALL)
    until(lambda: "malformed" in caplog.text)
    memory.close()
    assert "last notes: they are lost" in caplog.text


def test_a_home_that_cannot_be_written_is_a_warning(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    (tmp_path / "home").write_text("a file where a folder should be")
    place = str(tmp_path / "home" / "sparring" / "opponents.sqlite3")
    memory = FallbackStore(lambda: DatabaseStore.open(place))
    with caplog.at_level(logging.WARNING):
        assert memory.revise(ANN, SMALL, counted).state == {"number": 1}
        until(lambda: "Not a directory" in caplog.text)
    assert len(caplog.messages) == 1
    memory.close()


def test_a_folder_in_place_of_the_store_is_reported_once(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    path = tmp_path / "opponents.sqlite3"
    memory = FallbackStore(lambda: DatabaseStore.open(str(path)))
    memory.open()
    delete(path)
    path.mkdir()
    play(memory, memory.begin_game(blank()), range(3))
    time.sleep(0.1)  # for several attempts
    memory.close()
    assert caplog.text.count("is behind") == 1
    assert "a new file is opened" not in caplog.text
