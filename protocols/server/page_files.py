"""The files of the page to play on: a fixed table, and the answers to requests for them.

A request names a row of the table. No path of a request reaches the file system.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from functools import cache
from http import HTTPStatus
from importlib.resources import files

from websockets.datastructures import Headers
from websockets.http11 import Request, Response

PACKAGE = "protocols.page"
PLAY = "/play"  # the path of the page's WebSocket
HTML, SCRIPT, STYLE, PICTURE = (
    "text/html; charset=utf-8",
    "text/javascript; charset=utf-8",
    "text/css; charset=utf-8",
    "image/svg+xml",
)
TABLE = {  # path of a request -> file and its type
    "/": ("index.html", HTML),
    "/page.js": ("page.js", SCRIPT),
    "/page.css": ("page.css", STYLE),
    "/icon.svg": ("icon.svg", PICTURE),
    "/NOTICE.md": ("NOTICE.md", "text/plain; charset=utf-8"),
}
# The page loads nothing from elsewhere, is in no frame, and has no script or style in its text.
HEADERS: Mapping[str, str] = {
    "Content-Security-Policy": "default-src 'none'; script-src 'self'; style-src 'self'; "
    "img-src 'self' data:; connect-src 'self'; base-uri 'none'; form-action 'none'; "
    "frame-ancestors 'none'",
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Cache-Control": "no-cache",
    "Connection": "close",
}


def is_of_page(request: Request) -> bool:
    """Whether a handshake is the page's; every other one is of an analysis client."""
    return request.path.partition("?")[0] == PLAY


def answer(request: Request, cookie: str = "") -> Response:
    """Returns the file of a request without a handshake, or the refusal.

    cookie: the header Set-Cookie of the page itself; empty: none.
    """
    path = request.path.partition("?")[0]
    response = _answer(request, TABLE.get(path))
    if cookie and path == "/":
        response.headers["Set-Cookie"] = cookie
    return response


def _answer(request: Request, row: tuple[str, str] | None) -> Response:
    """Returns the file of a row of TABLE, or the refusal."""
    if row is None:
        return _response(HTTPStatus.NOT_FOUND, b"There is no such page.\n", "text/plain")
    name, kind = row
    data, tag = _content(name)
    if request.headers.get("If-None-Match") == tag:
        return _response(HTTPStatus.NOT_MODIFIED, b"", kind, tag)
    return _response(HTTPStatus.OK, data, kind, tag)


@cache
def _content(name: str) -> tuple[bytes, str]:
    """Returns the bytes of a file and their tag."""
    data = (files(PACKAGE) / "files" / name).read_bytes()
    return data, f'"{hashlib.sha256(data).hexdigest()[:16]}"'


def _response(status: HTTPStatus, body: bytes, kind: str, tag: str = "") -> Response:
    headers = Headers(HEADERS)
    headers["Content-Type"] = kind
    headers["Content-Length"] = str(len(body))
    if tag:
        headers["ETag"] = tag
    return Response(status.value, status.phrase, headers, body)
