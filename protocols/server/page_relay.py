"""The page's own server on this machine: its files, and a relay between browsers and the engine.

Each browser's WebSocket becomes a connection to the engine's Unix socket, with the rights of this
user. Other users of this machine are kept out: a browser is this user's, as the system knows it, or
has the token of the address. An engine that ends closes the browsers' connections; the pages come
back until an engine runs again.
"""

from __future__ import annotations

import asyncio
import hmac
import json
import os
import secrets
import socket
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass
from http import HTTPStatus

from websockets.asyncio.server import ServerConnection
from websockets.asyncio.server import serve as serve_websocket
from websockets.exceptions import ConnectionClosed
from websockets.http11 import Request, Response

from protocols.lines import END, LONGEST_LINE
from protocols.page.messages import LONGEST_MESSAGE, written
from protocols.server.client import connect
from protocols.server.listeners import bound_at
from protocols.server.local_user import Place, user_of
from protocols.server.page_files import is_of_page
from protocols.server.web_door import WebDoor, token_of

HOST = "127.0.0.1"
USUAL_PORT = 2640
TOKEN_BYTES = 24
GONE, AGAIN = 1012, 1013  # WebSocket's codes: the service restarts; try again later


@dataclass(frozen=True)
class PageRelay:
    """The relay of one process. options: of the greeting at the engine's socket."""

    path: str  # of the engine's Unix socket
    options: Mapping[str, object]
    token: str
    user_of: Callable[[Place, Place], int | None] = user_of  # of a connection's other end

    @asynccontextmanager
    async def listen(self, port: int = 0) -> AsyncIterator[str]:
        """Listens on this machine; yields the address with the token.

        port: 0: the usual one, or a free one if it is taken. Raises OSError if the port is taken.
        """
        listening = listening_at(port)
        async with serve_websocket(
            self.relay,
            sock=listening,
            max_size=4 * LONGEST_MESSAGE,
            compression=None,
            process_request=self.check,
        ):
            yield f"http://{HOST}:{listening.getsockname()[1]}/#token={self.token}"

    def check(self, connection: ServerConnection, request: Request) -> Response | None:
        """Returns a file or the refusal of a handshake; None lets it in."""
        answer = WebDoor().check(connection, request)
        if answer is not None:
            return answer
        if not is_of_page(request):
            return connection.respond(HTTPStatus.NOT_FOUND, "there is no such door\n")
        if hmac.compare_digest(token_of(request), self.token.encode()):
            return None
        client, server = connection.remote_address[:2], connection.local_address[:2]
        if self.user_of(client, server) == os.getuid():
            return None
        text = "open the address that `sparring play` prints\n"
        return connection.respond(HTTPStatus.UNAUTHORIZED, text)

    async def relay(self, browser: ServerConnection) -> None:
        """Carries the messages of one browser and of the engine, until one of them ends."""
        reached = connect(self.path)
        if reached is None:
            await browser.close(AGAIN, "no engine is running")
            return
        reached.setblocking(False)  # noqa: FBT003 - socket's own signature
        reader, writer = await asyncio.open_unix_connection(sock=reached, limit=LONGEST_LINE)
        try:
            refusal = await self._greet(reader, writer)
            if refusal is not None:
                await browser.send(written("error", text=refusal).rstrip())
                await browser.close(AGAIN, "the engine is busy")
                return
            sending = asyncio.create_task(_to_engine(browser, writer))
            try:
                await _to_browser(reader, browser)
            finally:
                sending.cancel()
            await browser.close(GONE, "the engine has ended")
        except (OSError, ConnectionClosed, asyncio.IncompleteReadError, ValueError):
            await browser.close(GONE, "the engine has ended")
        finally:
            writer.close()
            with suppress(OSError):
                await writer.wait_closed()

    async def _greet(
        self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter
    ) -> str | None:
        """Greets the engine; returns its refusal, or None. Raises OSError and ValueError."""
        greeting = {"protocol": "page", "options": dict(self.options)}
        writer.write(json.dumps(greeting).encode() + b"\n")
        answer = json.loads(await reader.readuntil(b"\n"))
        refusal = answer.get("error")
        return None if refusal is None else str(refusal)


def listening_at(port: int) -> socket.socket:
    """Returns a listening socket; 0: at the usual port, or at a free one if it is taken.

    A page that is open finds its server again at the same port. Raises OSError.
    """
    if port == 0:
        with suppress(OSError):
            return bound_at([(socket.AF_INET, (HOST, USUAL_PORT))])[0]
    return bound_at([(socket.AF_INET, (HOST, port))])[0]


def new_token() -> str:
    """Returns a token that cannot be guessed."""
    return secrets.token_urlsafe(TOKEN_BYTES)


async def _to_engine(browser: ServerConnection, writer: asyncio.StreamWriter) -> None:
    """Sends each frame as a line, until the browser goes; then closes the engine's connection."""
    with suppress(ConnectionClosed, OSError):
        while True:
            frame = await browser.recv(decode=False)
            writer.write(frame.replace(b"\n", b" ") + b"\n")
            await writer.drain()
    writer.close()


async def _to_browser(reader: asyncio.StreamReader, browser: ServerConnection) -> None:
    """Sends each line as a frame, until the engine's end or its last line."""
    while line := (await reader.readline()).rstrip(b"\n"):
        if line == END.encode():
            return
        await browser.send(line, text=True)
