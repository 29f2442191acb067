"""A memory that is opened when it is first asked, and whose failures stop nobody's game.

Knows what is done instead: it goes on from what it was last told, in this process alone, and says
so in the log. Does not know where a memory is kept.
"""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable
from typing import TypeVar

from engine.games import Board
from engine.memory import (
    Change,
    InMemory,
    KeptGame,
    Known,
    Memory,
    Moment,
    NewMoves,
    OpponentName,
    StoreError,
)

log = logging.getLogger("sparring")

T = TypeVar("T")

AGAIN_SECONDS = 60.0  # until what could not be opened is tried again, or a warning repeated


class CarefulMemory:
    """Satisfies engine.memory.Memory, and raises nothing. Safe to use from several threads."""

    def __init__(
        self, opening: Callable[[], Memory], *, now: Callable[[], float] = time.monotonic
    ) -> None:
        self._opening = opening
        self._now = now
        self._memory: Memory | None = None
        self._instead = InMemory()
        self._lock = threading.Lock()
        self._next_attempt = self._next_warning = -AGAIN_SECONDS

    def open(self) -> Memory:
        """The memory itself. Raises StoreError where it cannot be opened."""
        with self._lock:
            if self._memory is None:
                self._memory = self._opening()
            return self._memory

    def recall(self, opponent: OpponentName, board: Board) -> Known | None:
        """What is known of an opponent there; None: nothing."""
        found = self._ask(lambda memory: (memory.recall(opponent, board),))
        if found is None:
            return self._instead.recall(opponent, board)
        if found[0] is not None:
            self._copy(opponent, board, found[0])
        return found[0]

    def revise(
        self,
        opponent: OpponentName,
        board: Board,
        change: Change,
        *,
        game: int | None = None,
        new: NewMoves | None = None,
    ) -> Known:
        """What is known after a change to it; where it cannot be kept, from what was last known."""
        about = game
        if game is not None and game < 0:
            if new is not None:
                self.note_moves(game, new)
            about = new = None
        known = self._ask(
            lambda memory: memory.revise(opponent, board, change, game=about, new=new)
        )
        if known is None:
            return self._instead.revise(opponent, board, change, game=game)
        self._copy(opponent, board, known)
        return known

    def history(self, opponent: OpponentName, board: Board) -> tuple[Moment, ...]:
        """What was believed over time, oldest first."""
        found = self._ask(lambda memory: memory.history(opponent, board))
        return self._instead.history(opponent, board) if found is None else found

    def begin_game(self, game: KeptGame) -> int:
        """Keeps a game from now on; the number it is known by, negative where it is not kept."""
        number = self._ask(lambda memory: memory.begin_game(game))
        return -self._instead.begin_game(game) if number is None else number

    def note_moves(self, game: int, new: NewMoves) -> None:
        """Notes what was played."""
        if game < 0:
            self._instead.note_moves(-game, new)
        else:
            self._ask(lambda memory: memory.note_moves(game, new))

    def note_result(self, game: int, result: str, points: float | None) -> None:
        """Ends a game."""
        if game < 0:
            self._instead.note_result(-game, result, points)
        else:
            self._ask(lambda memory: memory.note_result(game, result, points))

    def unfinished(self, opponent: OpponentName) -> tuple[tuple[int, KeptGame], ...]:
        """Games that were begun and not ended, the latest first."""
        found = self._ask(lambda memory: memory.unfinished(opponent))
        if found is None:
            return tuple((-number, game) for number, game in self._instead.unfinished(opponent))
        return found

    def close(self) -> None:
        """Closes the memory where it was opened."""
        with self._lock:
            if self._memory is not None:
                self._memory.close()

    def _copy(self, opponent: OpponentName, board: Board, known: Known) -> None:
        """Remembers here too, for the time when nothing else can be asked."""
        self._instead.revise(opponent, board, lambda _: known, game=0)

    def _ask(self, question: Callable[[Memory], T]) -> T | None:
        """The memory's answer; None, after a warning, where there is none."""
        if self._memory is None and self._now() < self._next_attempt:
            return None
        try:
            return question(self.open())
        except StoreError as error:
            self._next_attempt = self._now() + AGAIN_SECONDS
            if self._now() >= self._next_warning:
                self._next_warning = self._now() + AGAIN_SECONDS
                log.warning("opponents are not remembered: %s", error)
            return None
