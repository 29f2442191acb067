"""The listeners of a server: Unix socket, TCP, WebSocket, or sockets passed by systemd."""

from __future__ import annotations

import asyncio
import errno
import ipaddress
import logging
import os
import socket
import ssl
import stat
from collections.abc import Iterable, Mapping
from contextlib import AsyncExitStack, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from websockets.asyncio.server import serve as serve_websocket

from engine.errors import SettingError
from protocols.lines import LONGEST_LINE
from protocols.server.client import connect, private_folder
from protocols.server.gateway import Gateway
from protocols.server.web_door import WebDoor

log = logging.getLogger("sparring")

LARGEST_PORT = 2**16 - 1
ABSENT = {errno.EADDRNOTAVAIL, errno.EAFNOSUPPORT}  # IPv6's localhost on a machine without IPv6


@dataclass(frozen=True)
class Addresses:
    """The addresses of a server's listeners; None: no such listener."""

    unix: Path | None
    host: str = "127.0.0.1"
    gtp_port: int | None = None
    websocket_port: int | None = None
    origins: frozenset[str] = frozenset()  # further origins of web pages for the WebSocket
    hosts: frozenset[str] = frozenset()  # further names of this machine for the WebSocket
    passed: Mapping[str, socket.socket] = field(default_factory=dict)  # systemd's, by name
    tls: ssl.SSLContext | None = None  # of the TCP ports; None: they are not encrypted


async def listen(gateway: Gateway, addresses: Addresses, listeners: AsyncExitStack) -> None:
    """Opens every listener of `addresses`; closing `listeners` closes them all.

    Raises SettingError, before any client is served, if one of them cannot be opened.
    """
    gtp = tcp(addresses, "gtp", addresses.gtp_port)
    websocket = tcp(addresses, "analysis", addresses.websocket_port)
    for each in (*gtp, *websocket):
        check_reach(each, has_token=gateway.token is not None, has_tls=addresses.tls is not None)
    unix = addresses.passed.get("sparring")
    if unix is None and addresses.unix is not None:
        unix = bind_unix(addresses.unix)
        listeners.callback(remove, addresses.unix)
    if unix is not None:
        await listeners.enter_async_context(
            await asyncio.start_unix_server(gateway.greeted, sock=unix)
        )
        log.info("listening at %s", unix.getsockname())
    for each in gtp:
        server = await asyncio.start_server(gateway.gtp, sock=each, ssl=addresses.tls)
        listeners.callback(server.close)
        log.info("GTP at %s port %d", *each.getsockname()[:2])
    door = WebDoor(addresses.origins, addresses.hosts, gateway.token, has_guests=True)
    for each in websocket:
        accepting = await serve_websocket(
            gateway.websocket,
            sock=each,
            max_size=LONGEST_LINE,
            compression=None,
            process_request=door.check,
            ssl=addresses.tls,
        )
        listeners.callback(accepting.close, close_connections=False)
        host, port = each.getsockname()[:2]
        name = f"[{host}]" if ":" in host else host
        ends = "" if addresses.tls is None else "s"
        text = "analysis at ws%s://%s:%d, a page to play on at http%s://%s:%d"
        log.info(text, ends, name, port, ends, name, port)


def tcp(addresses: Addresses, name: str, port: int | None) -> list[socket.socket]:
    """Returns the socket passed under `name`, else sockets at `port` on each host address."""
    if name in addresses.passed:
        return [addresses.passed[name]]
    if port is None:
        return []
    if not 0 <= port <= LARGEST_PORT:
        raise SettingError(f"a port is from 0 to {LARGEST_PORT}, not {port}")
    try:
        rows = socket.getaddrinfo(addresses.host, port, type=socket.SOCK_STREAM)
        return bound_at(dict.fromkeys((family, place[:2]) for family, _, _, _, place in rows))
    except OSError as error:
        where = f"{addresses.host} port {port}"
        raise SettingError(f"cannot listen at {where}: {error.strerror}") from error


def bound_at(places: Iterable[tuple[int, Any]]) -> list[socket.socket]:
    """Returns listening sockets at (family, address) pairs; raises OSError.

    An address absent from this machine is left out while another one is there.
    """
    opened, faults = [], []
    for family, place in places:
        try:
            opened.append(socket.create_server(place, family=family))
        except OSError as error:
            faults.append(error)
    taken = [error for error in faults if error.errno not in ABSENT]
    if taken or not opened:
        for each in opened:
            each.close()
        raise (taken or faults)[0]
    return opened


def check_reach(listening: socket.socket, *, has_token: bool, has_tls: bool = False) -> None:
    """Warns where other machines reach a socket; raises SettingError without a token there."""
    host, port = listening.getsockname()[:2]
    if ipaddress.ip_address(host).is_loopback:
        return
    if not has_token:
        raise SettingError(
            f"other machines reach {host} port {port}: set a token by $SPARRING_TOKEN or "
            "--token-file FILE, or listen at --host 127.0.0.1"
        )
    text = "other machines reach %s port %d, and nothing sent there is encrypted"
    if not has_tls:
        log.warning(text, host, port)


def bind_unix(path: Path) -> socket.socket:
    """Returns a listening Unix socket for this user alone; raises SettingError."""
    try:
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        check_folder(path.parent)
        if path.is_socket():
            if path.stat().st_uid != os.getuid():
                raise SettingError(f"{path} is another user's")
            if running := connect(str(path)):
                running.close()
                raise SettingError(f"an engine is already running at {path}")
            path.unlink()  # left behind by a process that was killed
        return _bound(path)
    except OSError as error:
        raise SettingError(f"cannot listen at {path}: {error.strerror or error}") from error


def check_folder(folder: Path) -> None:
    """Raises SettingError if another user could replace the socket in this folder.

    Any user may make a folder of that name under /tmp, so private_folder() must be this user's
    and closed to all others.
    """
    is_private = folder == Path(private_folder())
    status = folder.lstat() if is_private else folder.stat()
    is_sticky = status.st_mode & stat.S_ISVTX  # users remove only their own files there
    owners, closed = ({os.getuid()}, 0o077) if is_private else ({0, os.getuid()}, 0o002)
    is_open = status.st_mode & closed and not is_sticky
    if not stat.S_ISDIR(status.st_mode) or status.st_uid not in owners or is_open:
        rights = f"{stat.filemode(status.st_mode)} of user {status.st_uid}"
        raise SettingError(f"{folder} ({rights}) is open to other users: name another by --socket")


def _bound(path: Path) -> socket.socket:
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
    """Removes the socket's file if it is still there."""
    with suppress(FileNotFoundError):
        path.unlink()
