"""A GTP conversation over TCP, one command at a time."""

from __future__ import annotations

import socket
from types import TracebackType


class TcpTalk:
    """A client of the port on this machine."""

    def __init__(self, port: int, *first_lines: str) -> None:
        self._socket = socket.create_connection(("127.0.0.1", port), timeout=60)
        self._received = b""
        for line in first_lines:
            self.send(line)

    def __enter__(self) -> TcpTalk:
        return self

    def __exit__(
        self,
        _kind: type[BaseException] | None,
        _error: BaseException | None,
        _traceback: TracebackType | None,
    ) -> None:
        self.close()

    def send(self, line: str) -> None:
        """Sends a line."""
        self._socket.sendall(line.encode() + b"\n")

    def answer(self) -> str:
        """Waits for the next answer; raises EOFError once the engine has closed."""
        while b"\n\n" not in self._received:
            data = self._socket.recv(65536)
            if not data:
                raise EOFError(self._received.decode())
            self._received += data
        said, self._received = self._received.split(b"\n\n", 1)
        return said.decode()

    def say(self, line: str) -> str:
        """Sends a line and returns the answer."""
        self.send(line)
        return self.answer()

    def close(self) -> None:
        """Closes the connection."""
        self._socket.close()
