"""The server's end of a connection, the same for a Unix or TCP stream and for a WebSocket."""

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
from websockets.exceptions import ConnectionClosed

from protocols.server.hang_ups import HangUps

CHUNK = 65536
LARGEST_FRAME = 2**19  # bytes; small answers to WebSocket clients share a frame up to this
FIRST_PROBE_SECONDS = 0.25  # between the first two probes of a client that ended its input
LONGEST_PROBE_SECONDS = 15.0  # between two probes of a client that ended its input long ago
PROBE = b"\r"  # GTP ignores it, should anything on the way put it among the answers
HUNG_UP = select.POLLHUP | select.POLLERR

# A host that vanished is given up after 60 + 4 * 15 seconds, or as long with answers unread.
KEEPALIVE = (
    (socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1),
    (socket.IPPROTO_TCP, socket.TCP_KEEPIDLE, 60),  # seconds
    (socket.IPPROTO_TCP, socket.TCP_KEEPINTVL, 15),  # seconds
    (socket.IPPROTO_TCP, socket.TCP_KEEPCNT, 4),
    (socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, 120_000),  # milliseconds
)


class End(Protocol):
    """The server's end of one connection, whatever carries it."""

    active: float  # when bytes last came or went, by time.monotonic

    async def receive(self) -> bytes:
        """Returns the next bytes, empty when the client sends no more; raises OSError."""

    async def gone(self) -> None:
        """Returns once the client has closed its connection, though its bytes may be unread."""

    async def send(self, parts: Sequence[bytes]) -> None:
        """Returns when the client is near having read `parts`; raises OSError when it is gone."""

    async def close(self) -> None:
        """Ends the connection."""


@dataclass
class StreamEnd:
    """A Unix or TCP connection; begun: bytes of it that were read already."""

    reader: asyncio.StreamReader
    writer: asyncio.StreamWriter
    hang_ups: HangUps
    begun: bytes = b""
    active: float = field(default_factory=time.monotonic)

    async def receive(self) -> bytes:
        """Returns the next bytes, empty at the end; raises OSError where the client reset."""
        data, self.begun = self.begun, b""
        data = data or await self.reader.read(CHUNK)
        self.active = time.monotonic()
        return data

    async def gone(self) -> None:
        """Returns once the client has closed, and not while it reads after ending its input.

        To TCP both look alike at first. A probe tells them apart: a byte of urgent data, which a
        reading client does not see, is answered by a reset where nobody reads any more.
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
            return any(found & HUNG_UP for _, found in poll.poll(0))

    def _probed(self) -> bool:
        """Whether a client that ended its input may still read; raises OSError."""
        with self.socket() as connection:
            if connection.family == socket.AF_UNIX or self._hung_up():
                return False
            with suppress(BlockingIOError):  # much waits to be sent: TCP itself notices
                connection.send(PROBE, socket.MSG_OOB | socket.MSG_DONTWAIT)
            return True

    @contextmanager
    def socket(self) -> Iterator[socket.socket]:
        """The socket, for calls that do not wait; raises ConnectionResetError once it is closed."""
        if self.writer.transport.is_closing():
            raise ConnectionResetError("closed")
        connection = socket.socket(fileno=self.writer.get_extra_info("socket").fileno())
        try:
            yield connection
        finally:
            connection.detach()

    async def send(self, parts: Sequence[bytes]) -> None:
        """Writes, and waits while the client is behind."""
        try:
            self.writer.writelines(parts)
        except RuntimeError as closed:  # uvloop's word for a connection that was lost
            raise ConnectionResetError(str(closed)) from closed
        await self.writer.drain()
        self.active = time.monotonic()

    async def close(self) -> None:
        """Ends the connection."""
        with suppress(OSError):
            self.writer.close()
            await self.writer.wait_closed()


@dataclass
class WebSocketEnd:
    """A WebSocket connection: a text frame carries whole lines. begun: of one that was read."""

    connection: ServerConnection
    begun: bytes = b""
    active: float = field(default_factory=time.monotonic)

    async def receive(self) -> bytes:
        """Returns the next frame's lines, empty at the end."""
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
        """Returns once the connection is closed; one that answers no ping is."""
        await self.connection.wait_closed()

    async def send(self, parts: Sequence[bytes]) -> None:
        """Sends whole lines, several to a frame while they are small."""
        frames = [b""]
        for part in parts:
            if len(frames[-1]) + len(part) > LARGEST_FRAME:
                frames.append(b"")
            frames[-1] += part
        try:
            for frame in filter(None, frames):
                await self.connection.send(frame.rstrip(b"\n"), text=True)
                self.active = time.monotonic()
        except ConnectionClosed as closed:
            raise ConnectionResetError(str(closed)) from closed

    async def close(self) -> None:
        """Ends the connection."""
        await self.connection.close()
