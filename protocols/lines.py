"""Splits bytes into lines of text, up to the longest line accepted."""

from __future__ import annotations

import sys

LONGEST_LINE = 4 * 2**20  # bytes; a whole game as a JSON query with its settings is under 100 kB


def line_bytes(line: str) -> int:
    """Returns the memory of a line, in bytes."""
    return sys.getsizeof(line)


class OverlongLine(str):
    """The beginning of a line of more than LONGEST_LINE bytes; the rest is dropped."""

    __slots__ = ()


class LineSplitter:
    """Splits a stream of bytes into lines; holds at most the longest line accepted."""

    def __init__(self, longest: int = LONGEST_LINE) -> None:
        self._longest = longest
        self._parts: list[bytes] = []
        self._held = 0
        self._overlong = False

    def feed(self, data: bytes) -> list[str]:
        """Returns the lines completed by `data`, without line ends; long ones as OverlongLine."""
        lines: list[str] = []
        *complete, rest = data.split(b"\n")
        for piece in complete:
            self._hold(piece)
            lines.append(self._take())
        self._hold(rest)
        return lines

    def finish(self) -> list[str]:
        """Returns the last line of a stream without a line end, if there is one."""
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


END = "\x04"  # alone on a line; GTP ignores it, JSON cannot contain it
