"""Lines from one client to its answering thread.

The numbers of waiting lines and bytes are limited; at a limit the reader pauses. An inbox serves
any protocol and any connection.
"""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Callable, Sequence

from protocols.lines import LONGEST_LINE, line_bytes

PAUSE_AT = 20_000  # lines waiting; a controller pipelines a few hundred
PAUSE_BYTES = (
    2 * LONGEST_LINE
)  # bytes of waiting lines at which the reader pauses; one more chunk may come


def nothing() -> None:
    """Does nothing."""


class Inbox:
    """A queue of lines with one reader of the client and one answering thread."""

    def __init__(self, on_room: Callable[[], None] = nothing) -> None:
        """on_room: called in the answering thread when a paused reader may go on."""
        self._lines: deque[str] = deque()
        self._held = 0  # bytes of the lines waiting
        self._closed = False
        self._abandoned = False
        self._paused = False
        self._on_room = on_room
        self._changed = threading.Condition()

    def put(self, lines: Sequence[str]) -> bool:
        """Adds `lines`; returns False when the reader should pause until `on_room`."""
        with self._changed:
            self._lines.extend(lines)
            self._held += sum(map(line_bytes, lines))
            self._changed.notify_all()
            self._paused = len(self._lines) >= PAUSE_AT or self._held >= PAUSE_BYTES
            return not self._paused

    def close(self) -> None:
        """Ends the input; waiting lines are still returned."""
        with self._changed:
            self._closed = True
            self._changed.notify_all()

    def abandon(self) -> None:
        """Ends the input and discards waiting lines: the client has gone."""
        with self._changed:
            self._lines.clear()
            self._held = 0
            self._closed = self._abandoned = True
            self._changed.notify_all()

    def take(self) -> str | None:
        """Waits for the next line and returns it; None when closed and empty."""
        with self._changed:
            self._changed.wait_for(lambda: self._lines or self._closed)
            line = self._lines.popleft() if self._lines else None
            self._held -= 0 if line is None else line_bytes(line)
            has_room = len(self._lines) < PAUSE_AT // 2 and self._held < PAUSE_BYTES // 2
            resume = self._paused and has_room
            if resume:
                self._paused = False
        if resume:
            self._on_room()
        return line

    def waiting(self) -> bool:
        """Whether a line waits or the input has ended: a running analysis should end."""
        return bool(self._lines) or self._closed

    def wait(self) -> None:
        """Returns as soon as `waiting` is true."""
        with self._changed:
            self._changed.wait_for(self.waiting)

    def abandoned(self) -> bool:
        """Whether the client has gone; then even the search for a move should end."""
        return self._abandoned
