"""The WebSocket's door: accepts or refuses handshakes by host, origin and token.

Any web page can open a WebSocket to this machine, and its name servers can give this machine any
name. The door accepts the names of this machine alone, and the origins of its own pages and of
allowed ones. Programs send no Origin, or the server's own (websocket-client, the library of
KaTrain).
"""

from __future__ import annotations

import hmac
import ipaddress
from contextlib import suppress
from dataclasses import dataclass
from http import HTTPStatus
from urllib.parse import parse_qs, urlsplit

from websockets.asyncio.server import ServerConnection
from websockets.http11 import Request, Response

from protocols.server import page_files
from protocols.server.guest_cookie import new_cookie, secret_of


@dataclass(frozen=True)
class WebDoor:
    """The rules of one listener."""

    origins: frozenset[str] = frozenset()  # allowed beside the host's own
    hosts: frozenset[str] = frozenset()  # names of this machine beside localhost and its addresses
    token: bytes | None = None  # None: none is required
    has_guests: bool = False  # give the browsers of the page a cookie of their own

    def check(self, connection: ServerConnection, request: Request) -> Response | None:
        """Returns the refusal of a handshake; None lets it in."""
        headers = request.headers
        hosts, origins = headers.get_all("Host"), headers.get_all("Origin")
        if len(hosts) != 1 or len(origins) > 1:
            return connection.respond(HTTPStatus.BAD_REQUEST, "one Host, and one Origin at most\n")
        if not self._is_own(hosts[0], str(connection.local_address[0])):
            text = f"host {hosts[0]!r} is not allowed; see --allow-host\n"
            return connection.respond(HTTPStatus.FORBIDDEN, text)
        if "Upgrade" not in headers:  # the page's files hold no secret
            return page_files.answer(request, self._cookie(connection, request))
        if origins and origins[0] not in self.origins and _place(origins[0]) != hosts[0]:
            text = f"origin {origins[0]!r} is not allowed; see --allow-origin\n"
            return connection.respond(HTTPStatus.FORBIDDEN, text)
        if self.token is not None and not hmac.compare_digest(token_of(request), self.token):
            text = "a token is required: Authorization: Bearer TOKEN, or ?token=TOKEN\n"
            return connection.respond(HTTPStatus.UNAUTHORIZED, text)
        return None

    def _cookie(self, connection: ServerConnection, request: Request) -> str:
        """Returns the cookie for a browser without one; empty for others."""
        if not self.has_guests or secret_of(request):
            return ""
        return new_cookie(is_secure=connection.transport.get_extra_info("sslcontext") is not None)

    def _is_own(self, host: str, address: str) -> bool:
        """Whether a Host header names this machine. address: this end of the connection."""
        name = ""
        with suppress(ValueError):
            name = urlsplit(f"//{host}").hostname or ""
        if name in {"localhost", address} or name in self.hosts:
            return True
        with suppress(ValueError):
            return ipaddress.ip_address(name).is_loopback
        return False


def _place(origin: str) -> str:
    """Returns the host and port of an origin; empty where it has none."""
    with suppress(ValueError):
        return urlsplit(origin).netloc
    return ""


def token_of(request: Request) -> bytes:
    """Returns the token that a handshake carries; empty without one."""
    for value in request.headers.get_all("Authorization"):
        scheme, _, token = value.partition(" ")
        if scheme.lower() == "bearer":
            return token.strip().encode()
    query = parse_qs(urlsplit(request.path).query)
    return query.get("token", [""])[0].encode()
