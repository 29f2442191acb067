"""A memory that fails: the game goes on, from what was known, and the log says so once."""

from __future__ import annotations

import logging
from pathlib import Path

import pytest

from engine.careful_memory import AGAIN_SECONDS, CarefulMemory
from engine.memory import InMemory, Memory, NewMoves, StoreError
from engine.store.store import Store
from tests.store.known import ANN, GAME, SMALL, counted


class Opening:
    """Opens a memory once it can."""

    def __init__(self, memory: Memory) -> None:
        self.memory = memory
        self.works = False
        self.attempts = 0

    def __call__(self) -> Memory:
        self.attempts += 1
        if not self.works:
            raise StoreError("no room")
        return self.memory


class Breaking(InMemory):
    """A memory that can be lost."""

    works = True

    def revise(self, *arguments: object, **more: object) -> object:  # type: ignore[override]
        if not self.works:
            raise StoreError("the server is gone")
        return super().revise(*arguments, **more)  # type: ignore[arg-type]


def test_nothing_is_opened_before_it_is_asked() -> None:
    opening = Opening(InMemory())
    CarefulMemory(opening).close()
    assert opening.attempts == 0


def test_what_cannot_be_opened_is_done_without_and_tried_again_later(
    caplog: pytest.LogCaptureFixture,
) -> None:
    time = [0.0]
    opening = Opening(InMemory())
    memory = CarefulMemory(opening, now=lambda: time[0])
    with caplog.at_level(logging.WARNING):
        for _ in range(3):
            memory.revise(ANN, SMALL, counted)
        game = memory.begin_game(GAME)
        memory.note_moves(game, NewMoves(1, [(0, 7)], [""]))
    assert opening.attempts == 1
    assert caplog.messages == ["opponents are not remembered: no room"]
    known = memory.recall(ANN, SMALL)
    assert known is not None
    assert known.state == {"number": 3}
    ((number, kept),) = memory.unfinished(ANN)
    assert (number, kept.moves[-1]) == (game, (0, 7))
    assert len(memory.history(ANN, SMALL)) == 3
    memory.note_result(game, "B+R", 0.0)
    assert memory.unfinished(ANN) == ()
    time[0], opening.works = AGAIN_SECONDS, True
    assert memory.recall(ANN, SMALL) is None  # opened now: there nothing is known
    assert opening.attempts == 2
    memory.note_moves(game, NewMoves(0, [(1, 8)], [""]))  # goes on where it was begun
    assert opening.memory.unfinished(ANN) == ()


def test_a_memory_that_is_lost_is_gone_on_from(caplog: pytest.LogCaptureFixture) -> None:
    time = [0.0]
    lost = Breaking()
    memory = CarefulMemory(lambda: lost, now=lambda: time[0])
    memory.revise(ANN, SMALL, counted)
    lost.works = False
    known = memory.revise(ANN, SMALL, counted)
    assert known.state == {"number": 2}
    assert caplog.messages == ["opponents are not remembered: the server is gone"]
    lost.works, time[0] = True, AGAIN_SECONDS
    assert memory.revise(ANN, SMALL, counted).state == {"number": 2}


def test_a_home_that_cannot_be_written_is_a_warning(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    (tmp_path / "home").write_text("a file where a folder should be")
    place = str(tmp_path / "home" / "sparring" / "opponents.sqlite3")
    memory = CarefulMemory(lambda: Store.open(place))
    assert memory.revise(ANN, SMALL, counted).state == {"number": 1}
    assert len(caplog.messages) == 1
    assert "Not a directory" in caplog.text
