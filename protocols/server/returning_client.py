"""A client of the running engine that outlives the engine's restart.

It remembers the lines without an answer. Once the engine is back, it greets it again and sends them
again. The memory of each protocol knows its answers.
"""

from __future__ import annotations

import sys
import threading
import time
from collections.abc import Callable, Sequence
from socket import socket
from typing import Protocol

from protocols.lines import END
from protocols.server import stdio
from protocols.server.client import LostError

RETURN_SECONDS = 60.0  # longest wait for an engine that went away
RETRY_SECONDS = 0.2


class Memory(Protocol):
    """The lines of one conversation without an answer. `sent` is called by another thread."""

    def sent(self, lines: Sequence[bytes]) -> None:
        """Remembers lines before they are sent."""

    def received(self, data: bytes) -> tuple[bytes, bool]:
        """Returns the bytes for stdout, and whether the engine has ended the conversation."""

    def lost(self) -> None:
        """Forgets the incomplete answer of a lost connection."""

    def options(self) -> dict[str, object]:
        """Returns the options of the greeting at the return."""

    def again(self) -> bytes:
        """Returns the lines to be sent again."""

    def is_waiting(self) -> bool:
        """Tests whether a line has no answer."""


# Connects and greets with these options too; raises OSError and LostError while no engine is there.
# Returns the connection and the bytes received after the greeting.
Connect = Callable[[dict[str, object]], tuple[socket, bytes]]


class ReturningClient:
    """Carries lines and answers between stdin and stdout and the engine."""

    def __init__(self, connection: socket, memory: Memory, reconnect: Connect) -> None:
        self._connection: socket | None = connection
        self._memory = memory
        self._reconnect = reconnect
        self._is_ended = False  # the end of stdin
        self._sending = threading.Lock()  # held while bytes are sent

    def run(self, received: bytes) -> None:
        """Carries bytes until the conversation ends; received: bytes read already.

        Raises LostError if the engine does not come back.
        """
        threading.Thread(target=self._send_all, name="stdin", daemon=True).start()
        while True:
            output, is_over = self._memory.received(received)
            stdio.write(output)
            if is_over:
                return
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

    def _send(self, lines: Sequence[bytes]) -> None:
        with self._sending:
            self._memory.sent(lines)
            self._write(b"".join(line + b"\n" for line in lines))

    def _write(self, data: bytes) -> None:
        """Sends bytes while the engine is there; the memory has their lines for later."""
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

    def _come_back(self) -> bytes:
        """Waits for the engine, greets it and sends the lines without an answer again."""
        sys.stderr.write("sparring: the engine went away; waiting for it\n")
        until = time.monotonic() + RETURN_SECONDS
        self._memory.lost()
        while True:
            try:
                connection, received = self._reconnect(self._memory.options())
                break
            except (OSError, LostError) as error:
                if self._is_ended and not self._memory.is_waiting():
                    raise LostError("ended in the middle of the conversation") from error
                if time.monotonic() > until:
                    raise LostError(f"ended and did not come back: {error}") from error
                time.sleep(RETRY_SECONDS)
        with self._sending:
            self._connection = connection
            self._write(self._memory.again())
            if self._is_ended:
                self._write(f"\n{END}\n".encode())
        sys.stderr.write("sparring: the engine is back; the conversation goes on\n")
        return received or self._receive() or self._come_back()
