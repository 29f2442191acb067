"""Answers of a server over HTTP: their bytes within a limit, and objects of JSON."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

import aiohttp

from bots import fields
from bots.fields import WireError


def reason(error: Exception) -> str:
    """Returns the text of a failure on the line, or its kind where it has none; cut if long."""
    return str(error)[:200] or type(error).__name__


async def read_body(response: aiohttp.ClientResponse, longest: int) -> bytes:
    """Returns the answer's bytes. Raises WireError on an answer of more than `longest` bytes."""
    body = bytearray()
    async for data in response.content.iter_any():
        body += data
        if len(body) > longest:
            raise WireError(f"an answer of more than {longest} bytes")
    return bytes(body)


def json_object(body: bytes) -> Mapping[str, Any]:
    """Returns the object of an answer, which is empty for an empty one; raises WireError."""
    if not body.strip():
        return {}
    try:
        return fields.mapping(json.loads(body), "answer")
    except (ValueError, RecursionError) as error:
        raise WireError(f"the answer is no object of JSON: {error!r:.200}") from error
