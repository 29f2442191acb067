"""A GTP client of the running engine that outlives the engine's restart.

It remembers the commands without an answer. Once the engine is back, it claims its conversation by
the token of the greeting, and sends them again; the engine carries out none of them twice.
"""

from __future__ import annotations

import sys
import threading
import time
from collections import deque
from collections.abc import Callable
from socket import socket

from protocols.lines import END
from protocols.server import stdio
from protocols.server.client import LostError

RETURN_SECONDS = 20.0  # longest wait for an engine that went away
RETRY_SECONDS = 0.2
ENDING = END.encode()
CONTROLS = bytes(code for code in (*range(32), 127) if code != 9)  # GTP ignores them

# Connects and greets with the number of answers received; raises OSError and LostError while no
# engine is there. Returns the connection and the bytes received after the greeting.
Connect = Callable[[int], tuple[socket, bytes]]


class ReturningClient:
    """Carries commands and answers between stdin and stdout and the engine."""

    def __init__(self, connection: socket, reconnect: Connect) -> None:
        self._connection: socket | None = connection
        self._reconnect = reconnect
        self._waiting: deque[bytes] = deque()  # commands without an answer
        self._answers = 0  # complete answers received
        self._is_ended = False  # the end of stdin
        self._is_streamed = False  # the beginning of the present answer is on stdout
        self._held = b""  # bytes of an incomplete answer
        self._lock = threading.Lock()  # of the waiting commands and their number
        self._sending = threading.Lock()  # held while bytes are sent

    def run(self, received: bytes) -> None:
        """Carries bytes until the conversation ends; received: bytes read already.

        Raises LostError where the engine does not come back.
        """
        threading.Thread(target=self._send_all, name="stdin", daemon=True).start()
        while not self._take(received):
            received = self._receive() or self._come_back()

    def _send_all(self) -> None:
        rest = b""
        while data := stdio.read():
            *lines, rest = (rest + data).split(b"\n")
            self._send(lines)
        self._send([rest] if rest else [])
        with self._sending:
            self._is_ended = True
            self._write(f"\n{END}\n".encode())

    def _send(self, lines: list[bytes]) -> None:
        with self._sending:
            with self._lock:
                self._waiting.extend(line for line in lines if is_command(line))
            self._write(b"".join(line + b"\n" for line in lines))

    def _write(self, data: bytes) -> None:
        """Sends bytes while the engine is there; the commands among them are sent again later."""
        try:
            if self._connection is not None:
                self._connection.sendall(data)
        except OSError:
            self._connection = None

    def _receive(self) -> bytes:
        """Returns the next bytes; empty once the engine has gone."""
        connection = self._connection
        try:
            return b"" if connection is None else connection.recv(stdio.CHUNK)
        except OSError:
            return b""

    def _take(self, received: bytes) -> bool:
        """Writes answers to stdout; returns True at the end of the conversation."""
        self._held += received
        while b"\n\n" in self._held and not self._held.startswith(ENDING):
            answer, self._held = self._held.split(b"\n\n", 1)
            stdio.write(self._without_head(answer + b"\n\n"))
            self._is_streamed = False
            with self._lock:
                self._answers += 1
                if self._waiting:
                    self._waiting.popleft()
        if self._held.startswith(ENDING):
            return True
        head, is_line, _ = self._held.partition(b"\n")
        # An answer of several parts begins with its sign alone on a line.
        if is_line and (self._is_streamed or b" " not in head.rstrip()):
            whole, _, self._held = self._held.rpartition(b"\n")
            stdio.write(self._without_head(whole + b"\n"))
            self._is_streamed = True
        return False

    def _without_head(self, answer: bytes) -> bytes:
        """Removes the sign of an answer sent again, whose beginning is on stdout already."""
        if not self._is_streamed or answer[:1] not in {b"=", b"?"}:
            return answer
        return answer.partition(b"\n")[2] or b"\n"

    def _come_back(self) -> bytes:
        """Waits for the engine, claims the conversation and sends the waiting commands again."""
        sys.stderr.write("sparring: the engine went away; waiting for it\n")
        until = time.monotonic() + RETURN_SECONDS
        self._held = b""
        while True:
            try:
                connection, received = self._reconnect(self._answers)
                break
            except (OSError, LostError) as error:
                if self._is_ended and not self._waiting:
                    raise LostError("ended in the middle of the conversation") from error
                if time.monotonic() > until:
                    raise LostError(f"ended and did not come back: {error}") from error
                time.sleep(RETRY_SECONDS)
        with self._sending:
            self._connection = connection
            with self._lock:
                waiting = b"".join(line + b"\n" for line in self._waiting)
            self._write(waiting)
            if self._is_ended:
                self._write(f"\n{END}\n".encode())
        sys.stderr.write("sparring: the engine is back; the game goes on\n")
        return received or self._receive() or self._come_back()


def is_command(line: bytes) -> bool:
    """Tests whether a line is a command; others have no answer.

    >>> [is_command(line) for line in (b"1 name", b"# a comment", b"", b"12")]
    [True, False, False, False]
    """
    words = line.translate(None, CONTROLS).partition(b"#")[0].split()
    return bool(words) and not (len(words) == 1 and words[0].isdigit())
