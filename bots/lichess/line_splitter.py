"""Lines of a byte stream that comes in pieces of any length."""

from __future__ import annotations

LONGEST_LINE = 1 << 20  # bytes


class LineSplitter:
    """Collects bytes and returns whole lines. A line over the limit is dropped and counted."""

    def __init__(self, longest: int = LONGEST_LINE) -> None:
        self._longest = longest
        self._rest = bytearray()
        self._is_dropping = False  # inside a line over the limit
        self.dropped = 0  # lines over the limit

    def lines(self, data: bytes) -> list[bytes]:
        """Takes the next bytes; returns the lines completed by them, without their ends."""
        result = []
        start = 0
        while (end := data.find(b"\n", start)) >= 0:
            self._collect(data[start:end])
            if not self._is_dropping:
                result.append(bytes(self._rest))
            self._rest.clear()
            self._is_dropping = False
            start = end + 1
        self._collect(data[start:])
        return result

    @property
    def is_cut(self) -> bool:
        """Whether the bytes so far end in the middle of a line."""
        return bool(self._rest) or self._is_dropping

    def _collect(self, piece: bytes) -> None:
        if self._is_dropping:
            return
        self._rest += piece
        if len(self._rest) > self._longest:
            self._rest.clear()
            self._is_dropping = True
            self.dropped += 1
