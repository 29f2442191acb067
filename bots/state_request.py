"""The requests of one game for the server's full state, with a growing pause between them."""

from __future__ import annotations

from dataclasses import dataclass

LONGEST_PAUSE = 8  # times the first one


@dataclass
class StateRequest:
    """Whether the state is wanted, and since when it is requested. Times are in seconds."""

    pause: float  # between the first two requests
    is_wanted: bool = False
    asked_at: float | None = None  # time of the last request
    asks: int = 0  # requests without an answer
    number: int = 0  # of the last request
    moves: int = 0  # moves known at the last request
    undone_to: int | None = None  # moves left by the undo we agreed to, until it is settled

    def want(self) -> None:
        """Wants the state now, unless it is wanted already."""
        if not self.is_wanted:
            self.is_wanted, self.asked_at, self.asks = True, None, 0

    def want_anew(self) -> None:
        """Wants the state now, even if another connection was asked already."""
        self.is_wanted, self.asked_at, self.asks, self.undone_to = True, None, 0, None

    def is_answered(self, answers: int) -> bool:
        """Tests whether a state answers the last request, and not an older one."""
        return self.is_wanted and self.asks > 0 and answers == self.number

    def want_after_undo(self, moves_left: int, at: float) -> None:
        """Wants the state, and requests it after a pause if no undo settles it before."""
        self.is_wanted, self.asked_at, self.asks, self.number = True, at, 1, self.number + 1
        self.undone_to = moves_left

    def settle(self) -> None:
        """Wants nothing any more."""
        self.is_wanted, self.asked_at, self.asks, self.undone_to = False, None, 0, None

    @property
    def due(self) -> float | None:
        """The time of the next request; None: at once."""
        if self.asked_at is None:
            return None
        return self.asked_at + min(1 << (self.asks - 1), LONGEST_PAUSE) * self.pause

    def take(self, at: float, moves: int) -> bool:
        """Tests whether a request is due, and counts it as made after so many moves."""
        if not self.is_wanted or (self.due is not None and at < self.due):
            return False
        self.asks, self.asked_at, self.number = self.asks + 1, at, self.number + 1
        self.moves = moves
        return True
