"""A store that never delays a game: a thread of its own writes to another store, in order.

While the other store is behind, sessions continue with this process's last posterior. A late note
is written later, whole and in order. The log reports a lost note, and the game without it is marked
and cannot be resumed. The other store is of any kind.
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
    OpponentSummary,
    RatedEvidence,
    StoredGame,
    StoreError,
    utc_now,
)
from engine.util.operation_queue import MOST_WAITING, Operation, OperationQueue

log = logging.getLogger("sparring")

T = TypeVar("T")

NAME = "the store of opponents"
ANSWER_SECONDS = 2.0  # longest wait for an answer outside a move
CLOSING_SECONDS = 5.0  # longest wait at the end for notes not yet written
REFUSED_SECONDS = 0.5  # longest wait at the end for a store that refuses them
MOST_BELIEVED = 256  # entries held for the time that the store is behind


class LateNotes(Protocol):
    """The interface of late notes, for the store's next opening. Every method raises OSError."""

    is_used: bool  # whether there is a note

    def add(self, note: LateNote) -> None:
        """Adds a note at the end."""

    def clear(self) -> None:
        """Deletes the notes, after the store has taken them."""

    def close(self) -> None:
        """Closes the file, and leaves the notes for the next opening."""


class NoLateNotes:
    """Drops all notes. Satisfies LateNotes."""

    is_used = False

    def add(self, note: LateNote) -> None:
        """Drops the note."""

    def clear(self) -> None:
        """Does nothing: it holds no note."""

    def close(self) -> None:
        """Does nothing: no file is open."""


class FallbackStore:
    """An OpponentStore with a queue before another store. Safe to use from several threads.

    opening: returns the other store. late: keeps each note not yet written, in case the process is
    killed. most_waiting: operations in the queue.

    Only `unfinished` and `games` raise StoreError: an empty answer would deny a game. New games
    have negative numbers here, because the store gives them its own numbers later.
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
        self._has_warned = False  # about late notes
        self._begun: dict[int, StoredGame] = {}  # new games, by our number
        self._lock = threading.Lock()
        self._believed: dict[tuple[OpponentName, Board], OpponentEntry] = {}  # last used last
        self._new_numbers = count(1)
        self._numbers: dict[int, int] = {}  # the store's numbers, by ours
        self._incomplete: set[int] = set()  # games that lack a note

    def open(self) -> OpponentStore:
        """Opens the other store, and returns it. Raises StoreError if it cannot be opened."""
        return self._queue.open()

    def prepare(self, seconds: float = 0.0) -> None:
        """Begins to open the other store, and waits at most so long for it."""
        self._queue.begin(seconds)

    # ---- Entries

    def recall(self, opponent: OpponentName, board: Board) -> OpponentEntry | None:
        """Returns the opponent's entry; None: there is none, or the store has not answered."""
        reading = self._read(lambda store: store.recall(opponent, board))
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
        """Returns the entry after a change; while the store is behind, this process's entry."""
        about = None if game in self._incomplete else game

        def revised(store: OpponentStore) -> OpponentEntry:
            number = self._number(about)
            noted = None if number is None else new
            return store.revise(opponent, board, change, game=number, new=noted)

        writing = self._writing(revised, about)
        self._queue.do(writing)
        if about is not None and new is not None:
            self._keep(writing, about, new)
        key = opponent, board
        known = writing.result if writing.is_done else change(self._believed.get(key))
        self._believe(key, known)
        return known

    def history(self, opponent: OpponentName, board: Board) -> tuple[EstimateAtTime, ...]:
        """Returns the estimates over time, oldest first; none if the store does not answer."""
        reading = self._read(lambda store: store.history(opponent, board), ANSWER_SECONDS)
        return reading.result if reading.is_done else ()

    def rated(
        self, server: str, board: Board, without: OpponentName | None = None
    ) -> tuple[RatedEvidence, ...]:
        """Returns the evidence about a server's other players; none if the store is behind."""
        reading = self._read(lambda store: store.rated(server, board, without))
        return reading.result if reading.is_done else ()

    def summaries(self) -> tuple[OpponentSummary, ...]:
        """Returns all opponents, latest first; none if the store does not answer."""
        reading = self._read(lambda store: store.summaries(), ANSWER_SECONDS)
        return reading.result if reading.is_done else ()

    # ---- Games

    def begin_game(self, game: StoredGame) -> int:
        """Stores a new game, and returns its number here, a negative one.

        Does not wait: the first note of the game waits.
        """
        number = -next(self._new_numbers)
        game = self._begun[number] = replace(game, started=game.started or utc_now())

        def begun(store: OpponentStore) -> None:
            self._numbers[number] = store.begin_game(game)

        self._queue.add(self._writing(begun, number))
        return number

    def note_moves(self, game: int, new: NewMoves) -> None:
        """Stores moves."""
        writing = self._note(game, lambda store, number: store.note_moves(number, new))
        if writing is not None:
            self._keep(writing, game, new)

    def note_result(self, game: int, result: str, points: float | None) -> None:
        """Ends a game. result: as SGF writes it. points: ours."""

        def noted(store: OpponentStore, number: int) -> None:
            store.note_result(number, result, points)
            self._numbers.pop(game, None)

        writing = self._note(game, noted)
        if writing is not None:
            self._keep(writing, game, None, result, points)
        self._begun.pop(game, None)
        self._incomplete.discard(game)

    def unfinished(self, opponent: OpponentName) -> tuple[tuple[int, StoredGame], ...]:
        """Returns the games without a result and their numbers, latest first.

        Raises StoreError if the store does not answer.
        """
        return self._games(lambda store: store.unfinished(opponent))

    def games(self, opponent: OpponentName) -> tuple[tuple[int, StoredGame], ...]:
        """Returns all games with an opponent and their numbers, latest first.

        Raises StoreError if the store does not answer.
        """
        return self._games(lambda store: store.games(opponent))

    def _games(
        self, read: Callable[[OpponentStore], tuple[tuple[int, StoredGame], ...]]
    ) -> tuple[tuple[int, StoredGame], ...]:
        reading = self._read(read, ANSWER_SECONDS)
        if not reading.is_done:
            raise StoreError(f"{NAME} does not answer now")
        return reading.result

    def close(self) -> None:
        """Waits a moment for the last notes, and closes the other store."""
        fate = "the moves are written at the next start" if self._late.is_used else "they are lost"
        store = self._queue.close(CLOSING_SECONDS, refused_seconds=REFUSED_SECONDS, fate=fate)
        with self._late_lock:
            self._try_late(self._late.close)
        if store is not None:
            store.close()

    # ---- Late notes

    def _keep(
        self,
        writing: Operation[OpponentStore, T],
        game: int,
        new: NewMoves | None,
        result: str = "",
        points: float | None = None,
    ) -> None:
        """Adds a note to the late ones, if it or an earlier one is not yet written."""
        with self._late_lock:
            if not writing.is_done or self._late.is_used:
                number = self._number(game)
                begun = self._begun.get(game) if number is None else None
                note = LateNote(number, begun, new, result, points)
                self._try_late(partial(self._late.add, note))

    def _clear_late(self) -> None:
        """Deletes the late notes after all are written."""
        with self._late_lock:
            if self._queue.is_empty:
                self._try_late(self._late.clear)

    def _try_late(self, act: Callable[[], None]) -> None:
        try:
            act()
        except OSError as error:
            if not self._has_warned:
                log.warning(
                    "late notes have no file, and a kill may cost the last moves: %s",
                    error.strerror,
                )
            self._has_warned = True

    # ---- The queue

    def _read(
        self, act: Callable[[OpponentStore], T], seconds: float | None = None
    ) -> Operation[OpponentStore, T]:
        """Asks the store. seconds: to wait; None: as short as within a move."""
        reading = Operation(act, is_write=False)
        if seconds is None:
            self._queue.do(reading)
        elif self._queue.add(reading):
            reading.wait(seconds)
        return reading

    def _writing(
        self, act: Callable[[OpponentStore], T], game: int | None
    ) -> Operation[OpponentStore, T]:
        """Returns a write; its loss marks the game as incomplete."""
        return Operation(act, on_lost=partial(self._mark, game))

    def _note(
        self, game: int, act: Callable[[OpponentStore, int], None]
    ) -> Operation[OpponentStore, None] | None:
        """Queues a write about a complete game; None: the game is incomplete."""

        def noted(store: OpponentStore) -> None:
            number = self._number(game)
            if number is not None:
                act(store, number)

        if game in self._incomplete:
            return None
        writing = self._writing(noted, game)
        self._queue.do(writing)
        return writing

    def _mark(self, game: int | None) -> None:
        """Marks a game as incomplete, to prevent resuming it."""
        if game is None or game in self._incomplete:
            return
        self._incomplete.add(game)
        self._begun.pop(game, None)

        def marked(store: OpponentStore) -> None:
            number = self._number(game)
            if number is not None:
                store.note_result(number, INCOMPLETE, None)
                self._numbers.pop(game, None)

        self._queue.add(Operation(marked), always=True)

    def _number(self, game: int | None) -> int | None:
        """Returns the store's number of a game; None: it has none. For the queue's thread."""
        return game if game is None or game > 0 else self._numbers.get(game)

    def _believe(self, key: tuple[OpponentName, Board], known: OpponentEntry | None) -> None:
        with self._lock:
            self._believed.pop(key, None)
            if known is not None:
                self._believed[key] = known
            if len(self._believed) > MOST_BELIEVED:
                del self._believed[next(iter(self._believed))]
