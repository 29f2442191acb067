"""Notes that outlive the process: a kill loses no move that was answered."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path

import pytest

from engine.careful_memory import CarefulMemory
from engine.memory import Memory, NewMoves, StoreError
from engine.store.late_notes import NotesFile, left_beside
from engine.store.store import Store
from tests.store.known import ANN
from tests.store.test_careful_memory import PLAYED, blank, drain, kept, lock, play, until


def refusing() -> Memory:
    raise StoreError("somebody else writes")


def test_notes_that_a_process_could_not_write_are_written_at_the_next_opening(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    path = tmp_path / "store.sqlite3"
    memory = CarefulMemory(refusing, late=NotesFile(path))
    game, ended = memory.begin_game(blank()), memory.begin_game(blank())
    play(memory, game, range(4))
    memory.note_moves(game, NewMoves(2, [(0, 70)], ["another"]))  # two were taken back
    memory.note_moves(ended, NewMoves(0, PLAYED[:1], [""]))
    memory.note_result(ended, "B+R", 0.0)
    (late,) = left_beside(path)
    whole = late.read_bytes()
    memory.close()
    assert "the moves are written at the next start" in caplog.text
    late.write_bytes(b'{"number": []}\n' + whole + b'{"cut off')
    for _ in range(2):
        with closing(Store.open(str(path))) as store:
            assert kept(store).moves == (*PLAYED[:2], (0, 70))
            assert {found.result for _, found in store.games(ANN)} == {"", "B+R"}
            assert len(store.games(ANN)) == 2
        assert not left_beside(path)
    assert "line 1 is no note" in caplog.text


def test_notes_are_kept_in_case_of_a_kill_until_they_are_written(tmp_path: Path) -> None:
    path = tmp_path / "store.sqlite3"
    store = Store.open(str(path), busy_seconds=0.01)
    memory = CarefulMemory(lambda: store, late=NotesFile(path))
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
