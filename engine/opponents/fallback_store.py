"""A memory whose failures stop nobody's game: it is written in order by a thread of its own.

Knows what a session goes on with while the memory is behind: what this process believed last. A
note that comes too late is written later, whole and in order; where that cannot be, the log says
so, and a game that lacks a note is marked, so that nobody resumes it. Does not know where a memory
is kept.
"""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from itertools import count
from typing import Protocol, TypeVar

from engine.games.table import Board
from engine.opponents.opponent_store import (
    INCOMPLETE,
    Change,
    EstimateAtTime,
    LateNote,
    NewMoves,
    OpponentEntry,
    OpponentName,
    OpponentStore,
    StoredGame,
    StoreError,
    utc_now,
)
from engine.util.operation_queue import MOST_WAITING, Operation, OperationQueue

log = logging.getLogger("sparring")

T = TypeVar("T")

NAME = "the memory of opponents"
ANSWER_SECONDS = 2.0  # for a question that is no part of a move
CLOSING_SECONDS = 5.0  # for what is not written yet
REFUSED_SECONDS = 0.5  # for the same, where the memory takes nothing
MOST_BELIEVED = 256  # strengths that are gone on with while the memory is behind


class LateNotes(Protocol):
    """Keeps notes for the memory's next opening. All raise OSError."""

    is_used: bool  # whether it holds a note

    def add(self, note: LateNote) -> None:
        """Keeps a note behind those before it."""

    def clear(self) -> None:
        """Forgets the notes: the memory has them."""

    def close(self) -> None:
        """Lets go of what it holds, and leaves the notes for the next opening."""


class NoLateNotes:
    """Keeps nothing. Satisfies LateNotes."""

    is_used = False

    def add(self, note: LateNote) -> None:
        """Forgets the note."""

    def clear(self) -> None:
        """Nothing: it holds nothing."""

    def close(self) -> None:
        """Nothing: it holds nothing."""


class FallbackStore:
    """Satisfies engine.opponents.opponent_store.OpponentStore. Safe to use from several threads.

    late: keeps each note that a move did not wait for, in case the process is killed.

    `unfinished` alone raises StoreError: an empty answer would say that there is no game. Games
    that it begins have negative numbers, for the memory gives them theirs later.
    """

    def __init__(
        self,
        opening: Callable[[], OpponentStore],
        *,
        late: LateNotes | None = None,
        most_waiting: int = MOST_WAITING,
    ) -> None:
        self._queue = OperationQueue(
            opening,
            name=NAME,
            refusals=(StoreError,),
            most_waiting=most_waiting,
            on_empty=self._clear_late,
        )
        self._late = late or NoLateNotes()
        self._late_lock = threading.Lock()
        self._has_warned = False  # of late notes
        self._begun: dict[int, StoredGame] = {}  # games that began here, by our number
        self._lock = threading.Lock()
        self._believed: dict[tuple[OpponentName, Board], OpponentEntry] = {}  # last used last
        self._new_numbers = count(1)
        self._numbers: dict[int, int] = {}  # the memory's, by ours
        self._incomplete: set[int] = set()  # games that lack a note

    def open(self) -> OpponentStore:
        """The memory itself. Raises StoreError where it cannot be opened."""
        return self._queue.open()

    def prepare(self, seconds: float = 0.0) -> None:
        """Begins to open the memory, and waits so long for it."""
        self._queue.begin(seconds)

    # ---- What is known

    def recall(self, opponent: OpponentName, board: Board) -> OpponentEntry | None:
        """Returns the record of an opponent there; None: there is none, or it is not known yet."""
        reading = self._read(lambda memory: memory.recall(opponent, board))
        if not reading.is_done:
            return self._believed.get((opponent, board))
        self._believe((opponent, board), reading.result)
        return reading.result

    def revise(
        self,
        opponent: OpponentName,
        board: Board,
        change: Change,
        *,
        game: int | None = None,
        new: NewMoves | None = None,
    ) -> OpponentEntry:
        """Returns the record after a change; while the memory is behind, the belief held here."""
        about = None if game in self._incomplete else game

        def revised(memory: OpponentStore) -> OpponentEntry:
            number = self._number(about)
            noted = None if number is None else new
            return memory.revise(opponent, board, change, game=number, new=noted)

        writing = self._writing(revised, about)
        self._queue.do(writing)
        if about is not None and new is not None:
            self._keep(writing, about, new)
        key = opponent, board
        known = writing.result if writing.is_done else change(self._believed.get(key))
        self._believe(key, known)
        return known

    def history(self, opponent: OpponentName, board: Board) -> tuple[EstimateAtTime, ...]:
        """Returns the beliefs over time, oldest first; none where the memory does not answer."""
        reading = self._read(lambda memory: memory.history(opponent, board), ANSWER_SECONDS)
        return reading.result if reading.is_done else ()

    # ---- Games

    def begin_game(self, game: StoredGame) -> int:
        """Keeps a game from now on; the number it is known by here, which is negative.

        Waits for nothing: the first note of the game does.
        """
        number = -next(self._new_numbers)
        game = self._begun[number] = replace(game, started=game.started or utc_now())

        def begun(memory: OpponentStore) -> None:
            self._numbers[number] = memory.begin_game(game)

        self._queue.add(self._writing(begun, number))
        return number

    def note_moves(self, game: int, new: NewMoves) -> None:
        """Notes what was played."""
        writing = self._note(game, lambda memory, number: memory.note_moves(number, new))
        if writing is not None:
            self._keep(writing, game, new)

    def note_result(self, game: int, result: str, points: float | None) -> None:
        """Ends a game."""

        def noted(memory: OpponentStore, number: int) -> None:
            memory.note_result(number, result, points)
            self._numbers.pop(game, None)

        writing = self._note(game, noted)
        if writing is not None:
            self._keep(writing, game, None, result, points)
        self._begun.pop(game, None)
        self._incomplete.discard(game)

    def unfinished(self, opponent: OpponentName) -> tuple[tuple[int, StoredGame], ...]:
        """Games that were begun and not ended, the latest first.

        Raises StoreError where the memory does not answer.
        """
        reading = self._read(lambda memory: memory.unfinished(opponent), ANSWER_SECONDS)
        if not reading.is_done:
            raise StoreError(f"{NAME} does not answer now")
        return reading.result

    def close(self) -> None:
        """Waits a moment for what is not written yet, and closes the memory."""
        fate = "the moves are written at the next start" if self._late.is_used else "they are lost"
        memory = self._queue.close(CLOSING_SECONDS, refused_seconds=REFUSED_SECONDS, fate=fate)
        with self._late_lock:
            self._try_late(self._late.close)
        if memory is not None:
            memory.close()

    # ---- Notes that are late

    def _keep(
        self,
        writing: Operation[OpponentStore, T],
        game: int,
        new: NewMoves | None,
        result: str = "",
        points: float | None = None,
    ) -> None:
        """Keeps a note that is not written yet, and each one behind it until all are."""
        with self._late_lock:
            if not writing.is_done or self._late.is_used:
                number = self._number(game)
                begun = self._begun.get(game) if number is None else None
                note = LateNote(number, begun, new, result, points)
                self._try_late(partial(self._late.add, note))

    def _clear_late(self) -> None:
        """Forgets the late notes, where all are written."""
        with self._late_lock:
            if self._queue.is_empty:
                self._try_late(self._late.clear)

    def _try_late(self, act: Callable[[], None]) -> None:
        try:
            act()
        except OSError as error:
            if not self._has_warned:
                log.warning(
                    "late notes find no file, and a kill may cost the last moves: %s",
                    error.strerror,
                )
            self._has_warned = True

    # ---- The queue

    def _read(
        self, act: Callable[[OpponentStore], T], seconds: float | None = None
    ) -> Operation[OpponentStore, T]:
        """Asks the memory. seconds: to wait; None: as short as in a move."""
        reading = Operation(act, is_write=False)
        if seconds is None:
            self._queue.do(reading)
        elif self._queue.add(reading):
            reading.wait(seconds)
        return reading

    def _writing(
        self, act: Callable[[OpponentStore], T], game: int | None
    ) -> Operation[OpponentStore, T]:
        """A write; a game that lacks it is marked."""
        return Operation(act, on_lost=partial(self._mark, game))

    def _note(
        self, game: int, act: Callable[[OpponentStore, int], None]
    ) -> Operation[OpponentStore, None] | None:
        """Adds a write about a game that lacks nothing; None: it lacks something."""

        def noted(memory: OpponentStore) -> None:
            number = self._number(game)
            if number is not None:
                act(memory, number)

        if game in self._incomplete:
            return None
        writing = self._writing(noted, game)
        self._queue.do(writing)
        return writing

    def _mark(self, game: int | None) -> None:
        """Marks a game as incomplete, so that nobody resumes it."""
        if game is None or game in self._incomplete:
            return
        self._incomplete.add(game)
        self._begun.pop(game, None)

        def marked(memory: OpponentStore) -> None:
            number = self._number(game)
            if number is not None:
                memory.note_result(number, INCOMPLETE, None)
                self._numbers.pop(game, None)

        self._queue.add(Operation(marked), always=True)

    def _number(self, game: int | None) -> int | None:
        """The memory's number of a game; None where it keeps none. Asked by the queue's thread."""
        return game if game is None or game > 0 else self._numbers.get(game)

    def _believe(self, key: tuple[OpponentName, Board], known: OpponentEntry | None) -> None:
        with self._lock:
            self._believed.pop(key, None)
            if known is not None:
                self._believed[key] = known
            if len(self._believed) > MOST_BELIEVED:
                del self._believed[next(iter(self._believed))]
