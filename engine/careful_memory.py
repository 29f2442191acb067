"""A memory whose failures stop nobody's game: it is written in order by a thread of its own.

Knows what a session goes on with while the memory is behind: what this process believed last. A
note that comes too late is written later, whole and in order; where that cannot be, the log says
so, and a game that lacks a note is marked, so that nobody resumes it. Does not know where a memory
is kept.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from functools import partial
from itertools import count
from typing import TypeVar

from engine.games import Board
from engine.memory import (
    INCOMPLETE,
    Change,
    KeptGame,
    Known,
    Memory,
    Moment,
    NewMoves,
    OpponentName,
    StoreError,
)
from engine.operation_queue import MOST_WAITING, Operation, OperationQueue

T = TypeVar("T")

NAME = "the memory of opponents"
ANSWER_SECONDS = 2.0  # for a question that is no part of a move
CLOSING_SECONDS = 5.0  # for what is not written yet
REFUSED_SECONDS = 0.5  # for the same, where the memory takes nothing
MOST_BELIEVED = 256  # strengths that are gone on with while the memory is behind


class CarefulMemory:
    """Satisfies engine.memory.Memory. Safe to use from several threads.

    `unfinished` alone raises StoreError: an empty answer would say that there is no game. Games
    that it begins have negative numbers, for the memory gives them theirs later.
    """

    def __init__(self, opening: Callable[[], Memory], *, most_waiting: int = MOST_WAITING) -> None:
        self._queue = OperationQueue(
            opening, name=NAME, refusals=(StoreError,), most_waiting=most_waiting
        )
        self._lock = threading.Lock()
        self._believed: dict[tuple[OpponentName, Board], Known] = {}  # last used last
        self._new_numbers = count(1)
        self._numbers: dict[int, int] = {}  # the memory's, by ours
        self._incomplete: set[int] = set()  # games that lack a note

    def open(self) -> Memory:
        """The memory itself. Raises StoreError where it cannot be opened."""
        return self._queue.open()

    def prepare(self, seconds: float = 0.0) -> None:
        """Begins to open the memory, and waits so long for it."""
        self._queue.begin(seconds)

    # ---- What is known

    def recall(self, opponent: OpponentName, board: Board) -> Known | None:
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
    ) -> Known:
        """Returns the record after a change; while the memory is behind, the belief held here."""
        about = None if game in self._incomplete else game

        def revised(memory: Memory) -> Known:
            number = self._number(about)
            noted = None if number is None else new
            return memory.revise(opponent, board, change, game=number, new=noted)

        writing = self._writing(revised, about)
        self._queue.do(writing)
        key = opponent, board
        known = writing.result if writing.is_done else change(self._believed.get(key))
        self._believe(key, known)
        return known

    def history(self, opponent: OpponentName, board: Board) -> tuple[Moment, ...]:
        """Returns the beliefs over time, oldest first; none where the memory does not answer."""
        reading = self._read(lambda memory: memory.history(opponent, board), ANSWER_SECONDS)
        return reading.result if reading.is_done else ()

    # ---- Games

    def begin_game(self, game: KeptGame) -> int:
        """Keeps a game from now on; the number it is known by here, which is negative.

        Waits for nothing: the first note of the game does.
        """
        number = -next(self._new_numbers)

        def begun(memory: Memory) -> None:
            self._numbers[number] = memory.begin_game(game)

        self._queue.add(self._writing(begun, number))
        return number

    def note_moves(self, game: int, new: NewMoves) -> None:
        """Notes what was played."""
        self._note(game, lambda memory, number: memory.note_moves(number, new))

    def note_result(self, game: int, result: str, points: float | None) -> None:
        """Ends a game."""

        def noted(memory: Memory, number: int) -> None:
            memory.note_result(number, result, points)
            self._numbers.pop(game, None)

        self._note(game, noted)
        self._incomplete.discard(game)

    def unfinished(self, opponent: OpponentName) -> tuple[tuple[int, KeptGame], ...]:
        """Games that were begun and not ended, the latest first.

        Raises StoreError where the memory does not answer.
        """
        reading = self._read(lambda memory: memory.unfinished(opponent), ANSWER_SECONDS)
        if not reading.is_done:
            raise StoreError(f"{NAME} does not answer now")
        return reading.result

    def close(self) -> None:
        """Waits a moment for what is not written yet, and closes the memory."""
        memory = self._queue.close(CLOSING_SECONDS, refused_seconds=REFUSED_SECONDS)
        if memory is not None:
            memory.close()

    # ---- The queue

    def _read(
        self, act: Callable[[Memory], T], seconds: float | None = None
    ) -> Operation[Memory, T]:
        """Asks the memory. seconds: to wait; None: as short as in a move."""
        reading = Operation(act, is_write=False)
        if seconds is None:
            self._queue.do(reading)
        elif self._queue.add(reading):
            reading.wait(seconds)
        return reading

    def _writing(self, act: Callable[[Memory], T], game: int | None) -> Operation[Memory, T]:
        """A write; a game that lacks it is marked."""
        return Operation(act, on_lost=partial(self._mark, game))

    def _note(self, game: int, act: Callable[[Memory, int], None]) -> None:
        """Adds a write about a game that lacks nothing."""

        def noted(memory: Memory) -> None:
            number = self._number(game)
            if number is not None:
                act(memory, number)

        if game not in self._incomplete:
            self._queue.do(self._writing(noted, game))

    def _mark(self, game: int | None) -> None:
        """Marks a game as incomplete, so that nobody resumes it."""
        if game is None or game in self._incomplete:
            return
        self._incomplete.add(game)

        def marked(memory: Memory) -> None:
            number = self._number(game)
            if number is not None:
                memory.note_result(number, INCOMPLETE, None)
                self._numbers.pop(game, None)

        self._queue.add(Operation(marked), always=True)

    def _number(self, game: int | None) -> int | None:
        """The memory's number of a game; None where it keeps none. Asked by the queue's thread."""
        return game if game is None or game > 0 else self._numbers.get(game)

    def _believe(self, key: tuple[OpponentName, Board], known: Known | None) -> None:
        with self._lock:
            self._believed.pop(key, None)
            if known is not None:
                self._believed[key] = known
            if len(self._believed) > MOST_BELIEVED:
                del self._believed[next(iter(self._believed))]
