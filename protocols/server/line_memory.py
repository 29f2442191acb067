"""The common part of the memories of protocols with an answer a line."""

from __future__ import annotations

from abc import ABC, abstractmethod

from protocols.lines import END

ENDING = END.encode()


class LineMemory(ABC):
    """Holds the bytes of an incomplete line; see protocols.server.returning_client.Memory."""

    def __init__(self) -> None:
        self._held = b""

    def received(self, data: bytes) -> tuple[bytes, bool]:
        """Returns whole lines, and whether all is over."""
        *lines, self._held = (self._held + data).split(b"\n")
        output = b""
        for line in lines:
            if line == ENDING:
                return output, True
            self.note(line)
            output += line + b"\n"
        return output, False

    def lost(self) -> None:
        """Forgets the incomplete line."""
        self._held = b""

    def options(self) -> dict[str, object]:
        """Returns nothing: the lines hold the whole state."""
        return {}

    @abstractmethod
    def note(self, line: bytes) -> None:
        """Forgets the request with this answer."""
