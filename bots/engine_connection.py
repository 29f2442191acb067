"""Connections to the running engine: one begins with a greeting, and a protocol follows."""

from __future__ import annotations

import asyncio
import json
import socket
from collections.abc import Mapping
from dataclasses import dataclass

from protocols.server import client

LONGEST_ANSWER = 2**24  # bytes; an analysis with ownership is some 100 kB
GREETING_SECONDS = 300.0  # a network may have to be loaded first
Streams = tuple[asyncio.StreamReader, asyncio.StreamWriter]


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


async def open_engine(
    address: EngineAddress, protocol: str, options: Mapping[str, object]
) -> Streams:
    """Connects and greets; raises EngineAwayError and GreetingRefusedError."""
    reader, writer = await _connect(address)
    greeting: dict[str, object] = {"protocol": protocol, "options": dict(options)}
    if address.token:
        greeting["token"] = address.token
    try:
        await _greet(reader, writer, greeting)
    except BaseException:
        writer.close()
        raise
    return reader, writer


async def _greet(
    reader: asyncio.StreamReader, writer: asyncio.StreamWriter, greeting: Mapping[str, object]
) -> None:
    try:
        async with asyncio.timeout(GREETING_SECONDS):
            writer.write(json.dumps(greeting).encode() + b"\n")
            await writer.drain()
            answer = json.loads(await reader.readuntil(b"\n"))
            refusal, is_busy = answer.get("error"), answer.get("busy", False)
    except (OSError, EOFError, ValueError, AttributeError, asyncio.LimitOverrunError) as error:
        raise EngineAwayError(f"no proper answer to the greeting: {error}") from error
    if is_busy:
        raise EngineAwayError(f"the engine has no free session: {refusal}")
    if refusal is not None:
        raise GreetingRefusedError(str(refusal))


async def _connect(address: EngineAddress) -> Streams:
    try:
        if address.host:
            place = (address.host, address.port)
            return await asyncio.open_connection(*place, limit=LONGEST_ANSWER)
        return await _connect_to_socket(address.path or client.socket_path())
    except OSError as error:
        reason = error.strerror or error
        raise EngineAwayError(f"no engine at {address!r}: {reason}") from error


async def _connect_to_socket(path: str) -> Streams:
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
