"""Text from the answering threads to one client.

The number of unread bytes is limited. A client that reads nothing for some time counts as gone. An
outbox serves any protocol and any connection.
"""

from __future__ import annotations

import threading
from collections.abc import Callable

HIGH_WATER = 2**20  # unread bytes; from here on a writer waits
STALLED_SECONDS = 60.0  # without reading, then the client counts as gone


def nothing() -> None:
    """Does nothing."""


class ClientGoneError(Exception):
    """The client has gone; the answering thread should end."""


class Outbox:
    """A buffer with many writing threads and one sender; any of them calls `wake` for it."""

    def __init__(self, wake: Callable[[], None]) -> None:
        self.on_room: Callable[[], None] = nothing  # called when a slow client has caught up
        self._wake = wake
        self._parts: list[bytes] = []
        self._held = 0  # bytes accepted and not yet sent
        self._closed = False
        self._changed = threading.Condition()

    def emit(self, text: str) -> None:
        """Sends `text`, waiting while the client is behind; raises ClientGoneError."""
        with self._changed:
            room = self._changed.wait_for(
                lambda: self._closed or self._held < HIGH_WATER, timeout=STALLED_SECONDS
            )
            if not room:
                self._closed = True
            if self._closed:
                raise ClientGoneError
        self.push(text)

    def push(self, text: str) -> None:
        """Sends `text` as UTF-8 without waiting; does nothing when the client has gone.

        Half a surrogate pair, legal in JSON and not in UTF-8, becomes a backslash escape.
        """
        data = text.encode(errors="backslashreplace")
        with self._changed:
            if self._closed:
                return
            self._parts.append(data)
            self._held += len(data)
        self._wake()

    def congested(self) -> bool:
        """Whether the client is too far behind for new work."""
        return self._held >= HIGH_WATER

    def close(self) -> None:
        """Accepts no more text; waiting text is still sent."""
        with self._changed:
            self._closed = True
            self._changed.notify_all()
        self._wake()

    @property
    def closed(self) -> bool:
        """Whether `close` was called or the client has gone."""
        return self._closed

    def take(self) -> list[bytes]:
        """Returns the waiting bytes, in order; the sender reports them with `sent`."""
        with self._changed:
            parts, self._parts = self._parts, []
            return parts

    def sent(self, count: int) -> None:
        """Counts so many bytes as sent."""
        with self._changed:
            before, self._held = self._held, self._held - count
            self._changed.notify_all()
        if self._held < HIGH_WATER <= before:
            self.on_room()
