"""The commands of a GTP client without an answer; see protocols.server.returning_client.

Answers come in the order of the commands. The engine carries out none twice: it knows the number of
answers received, and answers a command again that it has carried out.
"""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Sequence

from protocols.server.line_memory import ENDING

CONTROLS = bytes(code for code in (*range(32), 127) if code != 9)  # GTP ignores them


class GtpMemory:
    """The memory of a GTP conversation."""

    def __init__(self) -> None:
        self._waiting: deque[bytes] = deque()  # commands without an answer
        self._answers = 0  # complete answers received
        self._is_streamed = False  # the beginning of the present answer is on stdout
        self._held = b""  # bytes of an incomplete answer
        self._lock = threading.Lock()

    def sent(self, lines: Sequence[bytes]) -> None:
        """Remembers the commands among these lines."""
        with self._lock:
            self._waiting.extend(line for line in lines if is_command(line))

    def received(self, data: bytes) -> tuple[bytes, bool]:
        """Returns whole answers, the lines of a streamed one, and whether all is over."""
        self._held += data
        output = b""
        while (end := self._end()) and not self._held.startswith(ENDING):
            answer, self._held = self._held[:end], self._held[end:]
            output += self._without_head(answer)
            self._is_streamed = False
            with self._lock:
                self._answers += 1
                if self._waiting:
                    self._waiting.popleft()
        if self._held.startswith(ENDING):
            return output, True
        head, is_line, _ = self._held.partition(b"\n")
        # An answer of several parts begins with its sign alone on a line.
        if is_line and (self._is_streamed or b" " not in head.rstrip()):
            whole, _, self._held = self._held.rpartition(b"\n")
            output += self._without_head(whole + b"\n")
            self._is_streamed = True
        return output, False

    def lost(self) -> None:
        """Forgets the incomplete answer."""
        self._held = b""

    def options(self) -> dict[str, object]:
        """Returns the number of answers received."""
        return {"received": self._answers}

    def again(self) -> bytes:
        """Returns the commands without an answer."""
        with self._lock:
            return b"".join(line + b"\n" for line in self._waiting)

    def is_waiting(self) -> bool:
        """Tests whether a line has no answer."""
        return bool(self._waiting)

    def _end(self) -> int:
        """Returns the length of the present answer, or of its rest; 0 before its end is here.

        An empty line ends an answer. The line before it may be on stdout already.
        """
        if self._is_streamed and self._held.startswith(b"\n"):
            return 1
        return self._held.find(b"\n\n") + 2 if b"\n\n" in self._held else 0

    def _without_head(self, answer: bytes) -> bytes:
        """Removes the sign of a repeated answer, if its beginning is on stdout already."""
        if not self._is_streamed or answer[:1] not in {b"=", b"?"}:
            return answer
        return answer.partition(b"\n")[2] or b"\n"


def is_command(line: bytes) -> bool:
    """Tests whether a line is a command; others have no answer.

    >>> [is_command(line) for line in (b"1 name", b"# a comment", b"", b"12")]
    [True, False, False, False]
    """
    words = line.translate(None, CONTROLS).partition(b"#")[0].split()
    return bool(words) and not (len(words) == 1 and words[0].isdigit())
