"""Notes that outlive the process: a kill loses no move that was answered."""

from __future__ import annotations

import os
from contextlib import closing
from pathlib import Path

import pytest

from engine.opponents.fallback_store import FallbackStore
from engine.opponents.opponent_store import NewMoves, OpponentStore, StoreError
from engine.opponents.store.late_notes import NotesFile, left_beside, notes_path
from engine.opponents.store.store import DatabaseStore
from tests.support.store.known import ANN
from tests.support.store.notes import PLAYED, blank, drain, kept, lock, play, until


def refusing() -> OpponentStore:
    raise StoreError("somebody else writes")


def test_notes_that_a_process_could_not_write_are_written_at_the_next_opening(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    path = tmp_path / "store.sqlite3"
    memory = FallbackStore(refusing, late=NotesFile(path))
    game, ended = memory.begin_game(blank()), memory.begin_game(blank())
    play(memory, game, range(4))
    memory.note_moves(game, NewMoves(2, [(0, 70)], ["another"]))  # two were taken back
    memory.note_moves(ended, NewMoves(0, PLAYED[:1], [""]))
    memory.note_result(ended, "B+R", 0.0)
    (late,) = left_beside(path)
    whole = late.read_bytes()
    memory.close()
    assert "the moves are written at the next start" in caplog.text
    late.write_bytes(whole + whole.splitlines()[0][:30])  # a kill cut the last one off
    for _ in range(2):
        with closing(DatabaseStore.open(str(path))) as store:
            assert kept(store).moves == (*PLAYED[:2], (0, 70))
            assert {found.result for _, found in store.games(ANN)} == {"", "B+R"}
            assert len(store.games(ANN)) == 2
        assert not left_beside(path)


@pytest.mark.parametrize("content", ["a shopping list", "no note\n", '{"number": []}\n', "{}\n"])
def test_a_file_of_anything_else_is_reported_and_left(
    content: str, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    path = tmp_path / "store[1].sqlite3"
    memory = FallbackStore(refusing, late=NotesFile(path))
    play(memory, memory.begin_game(blank()), range(2))
    memory.close()
    (late,) = left_beside(path)
    whole = late.read_text()
    late.write_text(whole + content)
    with closing(DatabaseStore.open(str(path))) as store:
        assert store.unfinished(ANN) == ()
        assert late.read_text() == whole + content
        assert f"{late} is left as it is" in caplog.text
        late.write_text(whole)
        assert kept(store).moves == tuple(PLAYED[:2])


def test_a_game_is_not_resumed_before_its_late_notes_are_taken(tmp_path: Path) -> None:
    path = tmp_path / "store.sqlite3"
    with closing(DatabaseStore.open(str(path), busy_seconds=0.01)) as store:
        memory = FallbackStore(refusing, late=NotesFile(path))
        play(memory, memory.begin_game(blank()), range(2))
        memory.close()
        unlock = lock(path, store)
        with pytest.raises(StoreError, match="locked"):
            store.unfinished(ANN)
        unlock()
        assert store.delete(ANN)  # with the game that only the late notes had
        assert store.unfinished(ANN) == ()


def test_unwritable_late_notes_are_reported_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    path = tmp_path / "store.sqlite3"
    memory = FallbackStore(refusing, late=NotesFile(path))
    game = memory.begin_game(blank())
    play(memory, game, range(2))
    write = os.write
    with monkeypatch.context() as patch:
        patch.setattr(os, "write", lambda file, text: write(file, text[:9]))
        play(memory, game, range(2, 4))
    assert caplog.text.count("No space left on device") == 1
    memory.note_moves(game, NewMoves(2, PLAYED[2:4], ["", ""]))
    memory.close()
    assert kept(DatabaseStore.open(str(path))).moves == tuple(PLAYED[:4])


def test_notes_survive_a_kill_until_they_are_written(tmp_path: Path) -> None:
    path = tmp_path / "store.sqlite3"
    store = DatabaseStore.open(str(path), busy_seconds=0.01)
    memory = FallbackStore(lambda: store, late=NotesFile(path))
    game = memory.begin_game(blank())
    play(memory, game, range(2))
    drain(memory)
    unlock = lock(path, store)
    play(memory, game, range(2, 6))
    (late,) = left_beside(path)
    notes = late.read_bytes()
    unlock()
    until(lambda: len(kept(store).moves) == 6)  # which leaves the notes of a living process alone
    until(lambda: not late.read_bytes())
    late.with_suffix(".late-killed").write_bytes(notes)  # each of them is written already
    assert kept(store).moves == tuple(PLAYED[:6])
    memory.close()
    assert not left_beside(path)


@pytest.mark.parametrize(
    ("place", "path"),
    [
        ("games/store.sqlite3", "games/store.sqlite3"),
        ("sqlite:////srv/store.sqlite3", "/srv/store.sqlite3"),
        ("sqlite:///store.sqlite3?timeout=3", "store.sqlite3"),
    ],
)
def test_late_notes_lie_beside_an_sqlite_file(place: str, path: str) -> None:
    assert notes_path(place) == Path(path)


def test_late_notes_of_a_server_lie_in_the_data_folder() -> None:
    data = {"XDG_DATA_HOME": "/data"}
    places = [
        "postgresql://ann:secret@host/games",
        "postgresql://ann:changed@host/games?connect_timeout=3",
        "postgresql://ann@host/games",
        "postgresql://ann@host/others",
        "postgresql://bob@host/games",
    ]
    first, changed, without, *others = [notes_path(place, data) for place in places]
    assert first == changed == without
    assert first.parent == Path("/data/sparring")
    assert len({first, *others}) == 3


def test_a_server_gets_the_notes_of_an_ended_process(
    postgres: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    memory = FallbackStore(refusing, late=NotesFile(notes_path(postgres)))
    play(memory, memory.begin_game(blank()), range(2))
    memory.close()
    with closing(DatabaseStore.open(postgres)) as store:
        assert kept(store).moves == tuple(PLAYED[:2])
    assert not left_beside(notes_path(postgres))
