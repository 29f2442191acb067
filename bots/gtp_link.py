"""A GTP conversation with the running engine over its socket: one command, one answer."""

from __future__ import annotations

import asyncio
import json
import socket
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass

from protocols.lines import END
from protocols.server import client

LONGEST_ANSWER = 2**24  # bytes; an analysis with ownership is some 100 kB
GREETING_SECONDS = 300.0  # a network may have to be loaded first


class EngineAwayError(Exception):
    """The engine cannot be reached, or ended in the middle of a conversation."""


class EngineCommandError(Exception):
    """The engine answers a command by an error; the text is its own."""


class GreetingRefusedError(Exception):
    """The engine refuses the conversation, as its options are wrong; the text says why."""


@dataclass(frozen=True, slots=True)
class EngineAddress:
    """The address of the running engine: its Unix socket, or its TCP port for GTP."""

    path: str = ""  # of the socket; empty: the usual one
    host: str = ""  # empty: the socket
    port: int = 0
    token: str = ""  # of the TCP port; empty: it needs none

    def __repr__(self) -> str:
        """Returns the address without the token."""
        return f"{self.host}:{self.port}" if self.host else self.path or client.socket_path()


class GtpLink:
    """An open conversation. Commands wait for each other; an answer is never left over."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._reader, self._writer = reader, writer
        self._turn = asyncio.Lock()
        self._is_ended = False

    @classmethod
    async def open(cls, address: EngineAddress, options: Mapping[str, object]) -> GtpLink:
        """Connects and greets; raises EngineAwayError and GreetingRefusedError."""
        reader, writer = await _connect(address)
        link = cls(reader, writer)
        greeting: dict[str, object] = {"protocol": "gtp", "options": dict(options)}
        if address.token:
            greeting["token"] = address.token
        try:
            await link._greet(greeting)
        except BaseException:
            link.drop()
            raise
        return link

    async def _greet(self, greeting: Mapping[str, object]) -> None:
        try:
            async with asyncio.timeout(GREETING_SECONDS):
                self._writer.write(json.dumps(greeting).encode() + b"\n")
                await self._writer.drain()
                answer = json.loads(await self._reader.readuntil(b"\n"))
                refusal, is_busy = answer.get("error"), answer.get("busy", False)
        except (OSError, EOFError, ValueError, AttributeError, asyncio.LimitOverrunError) as error:
            raise EngineAwayError(f"no proper answer to the greeting: {error}") from error
        if is_busy:
            raise EngineAwayError(f"the engine has no free session: {refusal}")
        if refusal is not None:
            raise GreetingRefusedError(str(refusal))

    async def ask(self, command: str) -> str:
        """Sends a command and returns its answer without the sign.

        Raises EngineCommandError on an error of the engine, and EngineAwayError once it is gone.
        """
        async with self._turn:
            if self._is_ended:
                raise EngineAwayError("the conversation has ended")
            try:
                self._writer.write(" ".join(command.split()).encode() + b"\n")
                await self._writer.drain()
                data = await self._reader.readuntil(b"\n\n")
            except (OSError, EOFError, asyncio.LimitOverrunError) as error:
                self.drop()
                raise EngineAwayError(f"the engine went away: {error}") from error
            except asyncio.CancelledError:
                self.drop()  # the answer would be taken for that of the next command
                raise
        text = data.decode(errors="replace").strip()
        if text.startswith("="):
            return text[1:].strip()
        raise EngineCommandError(text.removeprefix("?").strip())

    async def end(self) -> None:
        """Ends the conversation in order; the engine forgets its saved state."""
        async with self._turn:
            with suppress(OSError):
                self._writer.write(f"quit\n\n{END}\n".encode())
                await self._writer.drain()
            self.drop()

    def drop(self) -> None:
        """Closes the connection; a saved conversation stays saved."""
        self._is_ended = True
        self._writer.close()


async def _connect(
    address: EngineAddress,
) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
    try:
        if address.host:
            place = (address.host, address.port)
            return await asyncio.open_connection(*place, limit=LONGEST_ANSWER)
        return await _connect_to_socket(address.path or client.socket_path())
    except OSError as error:
        reason = error.strerror or error
        raise EngineAwayError(f"no engine at {address!r}: {reason}") from error


async def _connect_to_socket(path: str) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
    """Connects to the socket of this user's engine; raises OSError and EngineAwayError."""
    connection = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    connection.setblocking(False)  # noqa: FBT003 - the socket's own argument
    try:
        await asyncio.get_running_loop().sock_connect(connection, path)
    except BaseException:
        connection.close()
        raise
    if not client.is_trusted(connection):
        connection.close()
        raise EngineAwayError(f"{path} is another user's")
    return await asyncio.open_unix_connection(sock=connection, limit=LONGEST_ANSWER)
