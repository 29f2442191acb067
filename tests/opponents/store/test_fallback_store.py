"""A memory that fails, hangs or is full: the game goes on, and what it noted is written later."""

from __future__ import annotations

import logging
import sqlite3
import threading
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from sqlalchemy import event

from engine.games.table import Board
from engine.opponents import fallback_store
from engine.opponents.fallback_store import FallbackStore
from engine.opponents.opponent_store import (
    INCOMPLETE,
    NewMoves,
    OpponentEntry,
    OpponentName,
    OpponentStore,
    StoredGame,
    StoreError,
    TransientStore,
)
from engine.opponents.store.store import DatabaseStore
from engine.util import operation_queue
from engine.util.operation_queue import PATIENCE_SECONDS
from tests.support.store.known import ANN, GAME, SMALL, counted

LONG = "a reason " * 1000  # more than a page
MOVE_SECONDS = 3 * PATIENCE_SECONDS  # the bound, and what a busy machine adds
PLAYED = [(number % 2, number) for number in range(8)]


@pytest.fixture(autouse=True)
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    """Another attempt soon."""
    monkeypatch.setattr(fallback_store, "ANSWER_SECONDS", 0.02)
    monkeypatch.setattr(operation_queue, "RETRY_SECONDS", 0.01)
    monkeypatch.setattr(operation_queue, "SLOWEST_RETRY_SECONDS", 0.02)


class Trouble(TransientStore):
    """A memory that can be lost, or hang."""

    def __init__(self) -> None:
        super().__init__()
        self.works = True
        self.goes_on = threading.Event()
        self.goes_on.set()

    def __getattribute__(self, name: str) -> object:
        if name in {"recall", "revise", "begin_game", "note_moves", "note_result", "unfinished"}:
            self.goes_on.wait(10)
            if not self.works:
                raise StoreError("the server is gone")
        return super().__getattribute__(name)


def until(condition: Callable[[], bool]) -> None:
    """Waits for the memory's thread."""
    end = time.monotonic() + 10
    while not condition():
        assert time.monotonic() < end
        time.sleep(0.005)


def drain(memory: FallbackStore) -> None:
    """Waits until all is written, which a busy machine may not do in a move's time."""
    until(lambda: not memory._queue._waiting)


def play(memory: OpponentStore, game: int, moves: range, reason: str = "") -> float:
    """Notes these moves; returns the longest time that one took."""
    times = []
    for number in moves:
        began = time.monotonic()
        memory.revise(
            ANN, SMALL, counted, game=game, new=NewMoves(number, [PLAYED[number]], [reason])
        )
        times.append(time.monotonic() - began)
    return max(times)


def blank() -> StoredGame:
    return StoredGame(ANN, GAME.game_settings, 9, 9, color=1)


def kept(memory: OpponentStore) -> StoredGame:
    ((_, game),) = memory.unfinished(ANN)
    return game


def test_nothing_is_opened_before_the_first_question() -> None:
    attempts: list[int] = []

    def opening() -> OpponentStore:
        attempts.append(1)
        return TransientStore()

    FallbackStore(opening).close()
    assert attempts == []
    memory = FallbackStore(opening)
    memory.prepare()
    until(lambda: attempts == [1])
    memory.close()


def test_a_note_is_written_before_its_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(operation_queue, "PATIENCE_SECONDS", 10.0)  # for a busy machine
    inner = TransientStore()
    memory = FallbackStore(lambda: inner)
    game = memory.begin_game(blank())
    play(memory, game, range(3))
    assert kept(inner).moves == tuple(PLAYED[:3])
    memory.note_result(game, "B+R", 0.0)
    assert inner.unfinished(ANN) == ()
    memory.close()


@pytest.mark.parametrize("hangs", [False, True])
def test_a_memory_that_is_lost_is_gone_on_without_and_written_later(
    hangs: bool, caplog: pytest.LogCaptureFixture
) -> None:
    inner = Trouble()
    memory = FallbackStore(lambda: inner)
    game = memory.begin_game(blank())
    play(memory, game, range(2))
    drain(memory)
    inner.works = hangs
    if hangs:
        inner.goes_on.clear()
    assert play(memory, game, range(2, 5)) < MOVE_SECONDS
    began = time.monotonic()
    known = memory.recall(ANN, SMALL)
    assert time.monotonic() - began < MOVE_SECONDS
    with pytest.raises(StoreError, match="does not answer now"):
        memory.unfinished(ANN)
    assert memory.history(ANN, SMALL) == ()
    assert known is not None
    assert known.state == {"number": 5}
    inner.works = True
    inner.goes_on.set()
    until(lambda: len(kept(inner).moves) == 5)
    play(memory, game, range(5, 6))
    until(lambda: len(kept(inner).moves) == 6)
    memory.close()
    assert kept(inner).moves == tuple(PLAYED[:6])
    found = inner.recall(ANN, SMALL)
    assert found is not None
    assert found.state == {"number": 6}
    if not hangs:
        assert caplog.messages == [
            "the store of opponents is behind, and the game goes on without it: the server is gone",
            "the store of opponents has caught up",
        ]


class Slow(TransientStore):
    """A memory that takes nearly a move's time for each question."""

    def recall(self, opponent: OpponentName, board: Board) -> OpponentEntry | None:
        time.sleep(0.8 * PATIENCE_SECONDS)
        return super().recall(opponent, board)


def test_the_questions_of_one_move_share_its_time() -> None:
    memory = FallbackStore(Slow)
    memory.open()
    began = time.monotonic()
    for _ in range(6):
        memory.recall(ANN, SMALL)
    assert time.monotonic() - began < MOVE_SECONDS
    memory.close()


def test_a_store_that_cannot_be_opened_is_opened_later() -> None:
    inner, works = TransientStore(), [False]

    def opening() -> OpponentStore:
        if not works[0]:
            raise StoreError("no room")
        return inner

    memory = FallbackStore(opening)
    assert memory.recall(ANN, SMALL) is None
    game = memory.begin_game(blank())
    assert play(memory, game, range(4)) < MOVE_SECONDS
    works[0] = True
    until(lambda: inner.recall(ANN, SMALL) is not None)
    memory.close()
    assert kept(inner).moves == tuple(PLAYED[:4])


def test_a_note_without_room_is_lost_and_its_game_is_never_resumed(
    caplog: pytest.LogCaptureFixture,
) -> None:
    inner = Trouble()
    memory = FallbackStore(lambda: inner, most_waiting=4)
    whole, torn = memory.begin_game(blank()), memory.begin_game(blank())
    play(memory, torn, range(2))
    drain(memory)
    inner.works = False
    play(memory, torn, range(2, 8))  # four find room
    unknown = memory.begin_game(blank())  # of which the memory never hears
    memory.note_moves(unknown, NewMoves(0, PLAYED[:2], ["", ""]))
    inner.works = True
    until(lambda: "has caught up" in caplog.text)
    memory.note_moves(torn, NewMoves(2, [(0, 60)], [""]))
    memory.note_result(torn, "B+R", 0.0)
    play(memory, whole, range(1))
    memory.close()
    assert kept(inner).moves == (PLAYED[0],)
    found = [game for game in inner._games if game.result == INCOMPLETE]
    assert [game.moves for game in found] == [tuple(PLAYED[:6])]
    assert len(inner._games) == 2
    assert "4 notes wait already" in caplog.text
    assert "has caught up; 3 notes are lost" in caplog.text


def test_a_bug_loses_one_note_and_not_the_others(caplog: pytest.LogCaptureFixture) -> None:
    inner = TransientStore()
    memory = FallbackStore(lambda: inner)
    game = memory.begin_game(blank())

    def failing(known: OpponentEntry | None) -> OpponentEntry:
        if threading.current_thread() is threading.main_thread():
            return counted(known)
        raise ZeroDivisionError

    memory.revise(ANN, SMALL, failing, game=game, new=NewMoves(0, PLAYED[:1], [""]))
    memory.revise(ANN, SMALL, counted)
    memory.close()
    assert "a note is lost" in caplog.text
    assert inner.recall(ANN, SMALL) is not None
    assert inner.unfinished(ANN) == ()
    assert inner._games[0].result == INCOMPLETE


def test_unwritten_notes_at_the_end_are_reported(caplog: pytest.LogCaptureFixture) -> None:
    inner = Trouble()
    inner.works = False
    memory = FallbackStore(lambda: inner)
    play(memory, memory.begin_game(blank()), range(3))
    began = time.monotonic()
    memory.close()
    assert time.monotonic() - began < 2
    assert "did not take 4 last notes: they are lost" in caplog.text


# ---- A store on disk


def lock(path: Path, _store: DatabaseStore) -> Callable[[], None]:
    """Another process begins to write; returns what ends that."""
    connection = sqlite3.connect(path, isolation_level=None)
    connection.execute("BEGIN IMMEDIATE")
    return connection.close


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
