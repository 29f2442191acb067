"""The first line of a GTP connection over TCP: checks that it is GTP, and the token.

A web page can send an HTTP request to any port of the machine that shows it. Such a request is
refused, never read as GTP.
"""

from __future__ import annotations

import asyncio
import hmac
import json
import re
from contextlib import suppress

HTTP = re.compile(rb"\S+\s+\S+\s+HTTP/\d(\.\d)?\s*", re.IGNORECASE)
BINARY = re.compile(rb"[\x00-\x08\x0b\x0c\x0e-\x1f]")  # bytes of TLS; GTP has none of them
BAD_REQUEST = (
    b"HTTP/1.1 400 Bad Request\r\nConnection: close\r\nContent-Type: text/plain\r\n\r\n"
    b"This port speaks GTP, not HTTP.\n"
)


class FirstLineError(Exception):
    """The first line is refused; `answer` is sent before the connection is closed."""

    def __init__(self, answer: bytes) -> None:
        super().__init__(answer.decode())
        self.answer = answer


async def first_bytes(reader: asyncio.StreamReader, token: bytes | None) -> bytes:
    """Returns the first line as bytes of GTP; raises FirstLineError and OSError.

    token: the required first line, replaced by an empty one, or the "token" of a greeting. None: no
    token is required.
    """
    try:
        line = await reader.readuntil(b"\n")
    except asyncio.IncompleteReadError as error:
        line = error.partial
    except asyncio.LimitOverrunError as error:
        raise FirstLineError(b"? the first line is too long\n\n") from error
    if HTTP.fullmatch(line):
        raise FirstLineError(BAD_REQUEST)
    if BINARY.search(line):
        raise FirstLineError(b"? this port speaks GTP, which is text\n\n")
    if line.startswith(b"{"):
        check_greeting(line, token)
        return line
    if token is None:
        return line
    if not hmac.compare_digest(line.strip(), token):
        raise FirstLineError(b"? the first line is not this engine's token\n\n")
    return b"\n"


def check_greeting(line: bytes, token: bytes | None) -> None:
    """Raises FirstLineError unless the greeting has the token; None: no token is required."""
    if token is None:
        return
    named = b""
    with suppress(ValueError, RecursionError, AttributeError, TypeError):
        named = str(json.loads(line).get("token", "")).encode(errors="replace")
    if not hmac.compare_digest(named, token):
        raise FirstLineError(b'{"error": "the greeting has not this engine\'s token"}\n')
