"""Text on its way from the threads that answer to the one client that reads it.

Knows how much may wait before writers must, and when a client counts as gone. Does not know any
protocol, nor what carries the bytes.
"""

from __future__ import annotations

import threading
from collections.abc import Callable

HIGH_WATER = 2**20  # bytes unread by the client from which a writer waits
STALLED_SECONDS = 60.0  # a client that reads nothing for so long is given up


def nothing() -> None:
    """Does nothing."""


class ClientGoneError(Exception):
    """Nobody reads any more; whoever is answering should end."""


class Outbox:
    """A buffer with many writing threads and one sender, which `wake` calls from any thread."""

    def __init__(self, wake: Callable[[], None]) -> None:
        self.on_room: Callable[[], None] = nothing  # called when a slow client has caught up
        self._wake = wake
        self._parts: list[bytes] = []
        self._held = 0  # bytes taken in and not yet reported as sent
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
        """Sends `text` as UTF-8 without ever waiting; silent when nobody reads any more.

        JSON can name half of a surrogate pair, which UTF-8 lacks: it is sent as a backslash escape.
        """
        data = text.encode(errors="backslashreplace")
        with self._changed:
            if self._closed:
                return
            self._parts.append(data)
            self._held += len(data)
        self._wake()

    def congested(self) -> bool:
        """Whether the client is so far behind that nothing new should be begun for it."""
        return self._held >= HIGH_WATER

    def close(self) -> None:
        """Says that nothing more comes; what waits is still sent."""
        with self._changed:
            self._closed = True
            self._changed.notify_all()
        self._wake()

    @property
    def closed(self) -> bool:
        """Whether `close` was called or the client given up."""
        return self._closed

    def take(self) -> list[bytes]:
        """What waits to be sent, in order; the sender reports it with `sent`."""
        with self._changed:
            parts, self._parts = self._parts, []
            return parts

    def sent(self, count: int) -> None:
        """Notes that `count` bytes have left for the client."""
        with self._changed:
            before, self._held = self._held, self._held - count
            self._changed.notify_all()
        if self._held < HIGH_WATER <= before:
            self.on_room()
