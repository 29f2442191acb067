"""The first line of a GTP connection over TCP: a controller's, or a web page's that is refused.

A page can post text to any port of the machine that shows it, so a request of HTTP is never read
as GTP. Knows the token too. Does not know how the connection goes on.
"""

from __future__ import annotations

import asyncio
import hmac
import re

HTTP = re.compile(rb"\S+\s+\S+\s+HTTP/\d(\.\d)?\s*", re.IGNORECASE)
BINARY = re.compile(rb"[\x00-\x08\x0b\x0c\x0e-\x1f]")  # TLS begins so, and GTP has no use for it
BAD_REQUEST = (
    b"HTTP/1.1 400 Bad Request\r\nConnection: close\r\nContent-Type: text/plain\r\n\r\n"
    b"This port speaks GTP, not HTTP.\n"
)


class FirstLineError(Exception):
    """The connection is to be closed; `answer` is sent before."""

    def __init__(self, answer: bytes) -> None:
        super().__init__(answer.decode())
        self.answer = answer


async def first_bytes(reader: asyncio.StreamReader, token: bytes | None) -> bytes:
    """Returns the bytes read so far that are GTP; raises FirstLineError, OSError.

    token: the first line that is asked for, if any; it is not returned.
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
    if token is None:
        return line
    if not hmac.compare_digest(line.strip(), token):
        raise FirstLineError(b"? the first line is not this engine's token\n\n")
    return b"\n"
