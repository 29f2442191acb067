"""The connections of the server, with one interface: Unix and TCP streams, and WebSockets."""

from __future__ import annotations

import asyncio
import select
import socket
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from typing import Protocol

from websockets.asyncio.server import ServerConnection
from websockets.exceptions import ConnectionClosed, ConnectionClosedOK

from protocols.server.hang_ups import HangUps

CHUNK = 65536
LARGEST_FRAME = 2**19  # bytes; small answers to WebSocket clients share a frame up to this
FIRST_PROBE_SECONDS = 0.25  # time between the first two probes after the end of a client's input
LONGEST_PROBE_SECONDS = 15.0  # time between two later probes
PROBE = b"\r"  # GTP ignores it, should a proxy put it among the answers
HUNG_UP = select.POLLHUP | select.POLLERR

# A vanished host is given up after 60 + 4 * 15 seconds, or after 120 seconds of unread answers.
KEEPALIVE = (
    (socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1),
    (socket.IPPROTO_TCP, socket.TCP_KEEPIDLE, 60),  # seconds
    (socket.IPPROTO_TCP, socket.TCP_KEEPINTVL, 15),  # seconds
    (socket.IPPROTO_TCP, socket.TCP_KEEPCNT, 4),
    (socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, 120_000),  # milliseconds
)


class Connection(Protocol):
    """The interface of one connection, at the server's end."""

    active: float  # time of the last byte in either direction, by time.monotonic

    @property
    def client(self) -> str:
        """The client in words: "user" on the Unix socket, else the address."""

    async def receive(self) -> bytes:
        """Returns the next bytes, empty at the end of the client's input; raises OSError."""

    async def gone(self) -> None:
        """Returns once the client has closed its connection, even with unread bytes left."""

    async def send(self, parts: Sequence[bytes]) -> None:
        """Sends `parts`, and waits while the client is behind; raises OSError once it is gone."""

    async def close(self) -> None:
        """Ends the connection."""


@dataclass
class StreamConnection:
    """A Unix or TCP connection. begun: bytes read before."""

    reader: asyncio.StreamReader
    writer: asyncio.StreamWriter
    hang_ups: HangUps
    begun: bytes = b""
    active: float = field(default_factory=time.monotonic)

    @property
    def client(self) -> str:
        """The client in words: "user" on the Unix socket, else the address."""
        return address_text(self.writer.get_extra_info("peername"))

    async def receive(self) -> bytes:
        """Returns the next bytes, empty at the end; raises OSError after a reset."""
        data, self.begun = self.begun, b""
        data = data or await self.reader.read(CHUNK)
        self.active = time.monotonic()
        return data

    async def gone(self) -> None:
        """Returns once the client has closed, not while it still reads after ending its input.

        TCP shows both alike at first. A probe distinguishes them: one byte of urgent data. A
        reading client does not see it; a closed one answers with a reset.
        """
        with suppress(OSError):
            with self.socket() as connection:
                descriptor = connection.fileno()
            await self.hang_ups.wait(descriptor)
            seconds = FIRST_PROBE_SECONDS
            while self._probed():
                await asyncio.sleep(seconds)
                seconds = min(2 * seconds, LONGEST_PROBE_SECONDS)

    def _hung_up(self) -> bool:
        poll = select.poll()
        with self.socket() as connection:
            poll.register(connection, 0)
            return any(event & HUNG_UP for _, event in poll.poll(0))

    def _probed(self) -> bool:
        """Whether a client may still read after the end of its input; raises OSError."""
        with self.socket() as connection:
            if connection.family == socket.AF_UNIX or self._hung_up():
                return False
            with suppress(BlockingIOError):  # the send buffer is full: TCP itself notices
                connection.send(PROBE, socket.MSG_OOB | socket.MSG_DONTWAIT)
            return True

    @contextmanager
    def socket(self) -> Iterator[socket.socket]:
        """Yields the socket for calls without waiting; raises ConnectionResetError if closed."""
        if self.writer.transport.is_closing():
            raise ConnectionResetError("closed")
        connection = socket.socket(fileno=self.writer.get_extra_info("socket").fileno())
        try:
            yield connection
        finally:
            connection.detach()

    async def send(self, parts: Sequence[bytes]) -> None:
        """Sends `parts`, and waits while the client is behind."""
        try:
            self.writer.writelines(parts)
        except RuntimeError as closed:  # uvloop's error for a lost connection
            raise ConnectionResetError(str(closed)) from closed
        await self.writer.drain()
        self.active = time.monotonic()

    async def close(self) -> None:
        """Ends the connection."""
        with suppress(OSError):
            self.writer.close()
            await self.writer.wait_closed()


@dataclass
class WebSocketConnection:
    """A WebSocket connection with whole lines in each frame. begun: bytes read before.

    keeps_ends: frames end with their line's end, as GTP needs it.
    """

    connection: ServerConnection
    keeps_ends: bool = False
    begun: bytes = b""
    active: float = field(default_factory=time.monotonic)

    @property
    def client(self) -> str:
        """The client's address."""
        return address_text(self.connection.remote_address)

    async def receive(self) -> bytes:
        """Returns the lines of the next frame, empty at the end."""
        data, self.begun = self.begun, b""
        if data:
            return data
        try:
            frame = await self.connection.recv(decode=False)
        except ConnectionClosed:
            return b""
        self.active = time.monotonic()
        return frame + b"\n"

    async def gone(self) -> None:
        """Returns once the connection is closed; a missing answer to a ping closes it."""
        await self.connection.wait_closed()

    async def send(self, parts: Sequence[bytes]) -> None:
        """Sends whole lines, several in a frame while they are small."""
        frames = [b""]
        for part in parts:
            if len(frames[-1]) + len(part) > LARGEST_FRAME:
                frames.append(b"")
            frames[-1] += part
        try:
            for frame in filter(None, frames):
                text = frame if self.keeps_ends else frame.rstrip(b"\n")
                await self.connection.send(text, text=True)
                self.active = time.monotonic()
        except ConnectionClosedOK as closed:
            raise ConnectionResetError("the client closed it") from closed
        except ConnectionClosed as closed:
            raise ConnectionResetError(str(closed)) from closed

    async def close(self) -> None:
        """Ends the connection."""
        await self.connection.close()


def address_text(address: object) -> str:
    """Returns the address of a TCP client in words; a Unix socket has none.

    >>> address_text(("127.0.0.1", 4000)), address_text("")
    ('127.0.0.1:4000', 'user')
    """
    if isinstance(address, tuple) and len(address) >= 2:
        return f"{address[0]}:{address[1]}"
    return "user"
