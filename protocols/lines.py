"""Bytes into lines, and lines to the thread that answers them.

Knows line ends, the longest line accepted, and when input should pause. Does not know any
protocol, nor where the bytes come from.
"""

from __future__ import annotations

import threading
from collections import deque

LONGEST_LINE = 4 * 2**20  # bytes; a whole game as a JSON query with its settings is under 100 kB
PAUSE_AT = 20_000  # lines waiting; a controller pipelines a few hundred


class OverlongLine(str):
    """The beginning of a line that was refused for its length; the rest was not kept."""

    __slots__ = ()


class LineSplitter:
    """Cuts a stream of bytes into lines, never holding more than the longest line accepted."""

    def __init__(self, longest: int = LONGEST_LINE) -> None:
        self._longest = longest
        self._parts: list[bytes] = []
        self._held = 0
        self._overlong = False

    def feed(self, data: bytes) -> list[str]:
        """The lines that `data` completes, without their ends; overlong ones as OverlongLine."""
        lines: list[str] = []
        *complete, rest = data.split(b"\n")
        for piece in complete:
            self._hold(piece)
            lines.append(self._take())
        self._hold(rest)
        return lines

    def finish(self) -> list[str]:
        """What the stream ended with, where that was not a complete line."""
        return [self._take()] if self._held else []

    def _hold(self, piece: bytes) -> None:
        if self._overlong or not piece:
            return
        self._parts.append(piece)
        self._held += len(piece)
        if self._held > self._longest:
            self._overlong = True
            self._parts = [b"".join(self._parts)[:100]]

    def _take(self) -> str:
        text = b"".join(self._parts).decode("utf-8", errors="replace")
        line = OverlongLine(text) if self._overlong else text.removesuffix("\r")
        self._parts, self._held, self._overlong = [], 0, False
        return line


class Inbox:
    """Lines from one client, put in by the thread that reads and taken by the one that answers."""

    def __init__(self) -> None:
        self._lines: deque[str] = deque()
        self._closed = False
        self._abandoned = False
        self._changed = threading.Condition()

    def put(self, lines: list[str]) -> bool:
        """Adds `lines`; True when so many wait that the reader should pause."""
        with self._changed:
            self._lines.extend(lines)
            self._changed.notify_all()
            return len(self._lines) >= PAUSE_AT

    def close(self) -> None:
        """Says that no more lines come; those that wait are still given out."""
        with self._changed:
            self._closed = True
            self._changed.notify_all()

    def abandon(self) -> None:
        """Closes, and forgets the lines that wait: nobody is there to read an answer."""
        with self._changed:
            self._lines.clear()
            self._closed = self._abandoned = True
            self._changed.notify_all()

    def take(self) -> str | None:
        """The next line, waiting for it; None when closed and empty."""
        with self._changed:
            self._changed.wait_for(lambda: self._lines or self._closed)
            return self._lines.popleft() if self._lines else None

    def waiting(self) -> bool:
        """Whether a line waits or the input has ended: what is running should make way."""
        return bool(self._lines) or self._closed

    def abandoned(self) -> bool:
        """Whether the client has gone, so that even a move being thought about is for nobody."""
        return self._abandoned

    def __len__(self) -> int:
        """How many lines wait."""
        return len(self._lines)
