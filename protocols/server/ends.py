"""The server's end of a connection, the same for a Unix or TCP stream and for a WebSocket."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Protocol

from websockets.asyncio.server import ServerConnection
from websockets.exceptions import ConnectionClosed

CHUNK = 65536
LARGEST_FRAME = 2**19  # bytes; small answers to WebSocket clients share a frame up to this


class End(Protocol):
    """The server's end of one connection, whatever carries it."""

    async def receive(self) -> bytes:
        """The next bytes; empty when the client sends no more."""

    async def send(self, parts: Sequence[bytes]) -> None:
        """Returns when the client is near having read `parts`; raises OSError when it is gone."""

    async def close(self) -> None:
        """Ends the connection."""


@dataclass
class StreamEnd:
    """A Unix or TCP connection."""

    reader: asyncio.StreamReader
    writer: asyncio.StreamWriter

    async def receive(self) -> bytes:
        """The next bytes; empty at the end."""
        try:
            return await self.reader.read(CHUNK)
        except OSError:
            return b""

    async def send(self, parts: Sequence[bytes]) -> None:
        """Writes, and waits while the client is behind."""
        try:
            self.writer.writelines(parts)
        except RuntimeError as closed:  # uvloop's word for a connection that was lost
            raise ConnectionResetError(str(closed)) from closed
        await self.writer.drain()

    async def close(self) -> None:
        """Ends the connection."""
        with suppress(OSError):
            self.writer.close()
            await self.writer.wait_closed()


@dataclass
class WebSocketEnd:
    """A WebSocket connection: a text frame carries whole lines."""

    connection: ServerConnection

    async def receive(self) -> bytes:
        """The next frame's lines; empty at the end."""
        try:
            frame = await self.connection.recv(decode=False)
        except ConnectionClosed:
            return b""
        return frame + b"\n"

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
        except ConnectionClosed as closed:
            raise ConnectionResetError(str(closed)) from closed

    async def close(self) -> None:
        """Ends the connection."""
        await self.connection.close()
