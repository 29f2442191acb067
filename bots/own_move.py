"""Our move on its way to the server."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class OwnMove:
    """The engine's move, until the server confirms it. Times are in seconds."""

    number: int
    move: str
    analysis: str
    ready_at: float  # not sent before
    sent_at: float | None = None  # None: not sent, or known not to have arrived

    @property
    def is_sent(self) -> bool:
        """Whether it may have arrived."""
        return self.sent_at is not None
