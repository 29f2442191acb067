"""Where a server listens: Unix socket, TCP, WebSocket, or sockets that systemd opened."""

from __future__ import annotations

import asyncio
import logging
import os
import socket
from collections.abc import Callable, Mapping
from contextlib import AsyncExitStack, suppress
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import urlsplit

from websockets.asyncio.server import ServerConnection
from websockets.asyncio.server import serve as serve_websocket
from websockets.http11 import Request, Response

from engine.records import SettingError
from protocols.client import connect
from protocols.lines import LONGEST_LINE
from protocols.server.gateway import Gateway

log = logging.getLogger("sparring")


@dataclass(frozen=True)
class Addresses:
    """Where to listen; None means not there."""

    unix: Path | None
    host: str = "127.0.0.1"
    gtp_port: int | None = None
    websocket_port: int | None = None
    origins: frozenset[str] = frozenset()  # web pages that may connect beside the host's own
    passed: Mapping[str, socket.socket] = field(default_factory=dict)  # by systemd


async def listen(gateway: Gateway, addresses: Addresses, listeners: AsyncExitStack) -> None:
    """Opens every listener that `addresses` names; with `listeners` they accept no more."""
    unix = addresses.passed.get("sparring")
    if unix is None and addresses.unix is not None:
        unix = bind_unix(addresses.unix)
        listeners.callback(remove, addresses.unix)
    if unix is not None:
        await listeners.enter_async_context(
            await asyncio.start_unix_server(gateway.greeted, sock=unix)
        )
        log.info("listening at %s", unix.getsockname())
    gtp = tcp(addresses, "gtp", addresses.gtp_port)
    if gtp is not None:
        server = await asyncio.start_server(gateway.gtp, sock=gtp)
        listeners.callback(server.close)
        log.info("GTP at %s port %d", *gtp.getsockname()[:2])
    websocket = tcp(addresses, "analysis", addresses.websocket_port)
    if websocket is not None:
        accepting = await serve_websocket(
            gateway.analysis,
            sock=websocket,
            max_size=LONGEST_LINE,
            compression=None,
            process_request=origin_check(addresses.origins),
        )
        listeners.callback(accepting.close, close_connections=False)
        log.info("analysis at ws://%s:%d", *websocket.getsockname()[:2])


def tcp(addresses: Addresses, name: str, port: int | None) -> socket.socket | None:
    """The socket passed under `name`, or one bound to `port`; None without either."""
    if name in addresses.passed:
        return addresses.passed[name]
    return None if port is None else socket.create_server((addresses.host, port))


def bind_unix(path: Path) -> socket.socket:
    """A listening Unix socket that only this user can reach; raises SettingError if in use."""
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    if path.is_socket():
        if running := connect(str(path)):
            running.close()
            raise SettingError(f"an engine is already running at {path}")
        path.unlink()  # left behind by a process that was killed
    unix = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    before = os.umask(0o177)
    try:
        unix.bind(str(path))
    except OSError:
        unix.close()
        raise
    finally:
        os.umask(before)
    return unix


def remove(path: Path) -> None:
    """Removes the socket file, if it is still there."""
    with suppress(FileNotFoundError):
        path.unlink()


def origin_check(
    allowed: frozenset[str],
) -> Callable[[ServerConnection, Request], Response | None]:
    """Refuses browsers that show another site's page: any page can open a local WebSocket.

    Programs send no Origin, or (websocket-client, which KaTrain uses) the server's own.
    """

    def check(connection: ServerConnection, request: Request) -> Response | None:
        origin = request.headers.get("Origin")
        if origin is None or origin in allowed:
            return None
        if urlsplit(origin).netloc == request.headers.get("Host"):
            return None
        return connection.respond(403, f"origin {origin} is not allowed; see --allow-origin\n")

    return check
