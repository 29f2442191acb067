"""A memory that fails, hangs or is full: the game goes on, and what it noted is written later."""

from __future__ import annotations

import threading
import time

import pytest

from engine.games.table import Board
from engine.opponents.fallback_store import FallbackStore
from engine.opponents.opponent_store import (
    INCOMPLETE,
    NewMoves,
    OpponentEntry,
    OpponentName,
    OpponentStore,
    StoreError,
    TransientStore,
)
from engine.util import operation_queue
from engine.util.operation_queue import PATIENCE_SECONDS
from tests.support.store.known import ANN, SMALL, counted
from tests.support.store.notes import MOVE_SECONDS, PLAYED, blank, drain, kept, play, until

pytestmark = pytest.mark.usefixtures("impatient")


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
