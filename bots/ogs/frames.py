"""One websocket frame: a JSON array with a command or an event, its data and a request's number."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any

from bots.fields import WireError, wrong

LONGEST_FRAME = 4 * 1024 * 1024  # bytes; the state of the longest game is far below


@dataclass(frozen=True, slots=True)
class Frame:
    """A frame from the server: an event, or the answer to a request."""

    event: str | int  # the number of the request in an answer
    data: Any
    error: Any = None  # of an answer


def encode(command: str, data: object, request: int | None = None) -> str:
    """Returns the frame of a command; request: its number, where an answer is wanted."""
    frame = [command, data] if request is None else [command, data, request]
    return json.dumps(frame, separators=(",", ":"))


def decode(frame: str | bytes) -> Frame:
    """Reads a frame. Raises WireError on anything but an array with an event first."""
    try:
        values = json.loads(frame)
    except (ValueError, RecursionError):
        raise wrong("a frame", "JSON", frame) from None
    if not isinstance(values, list) or not values:
        raise wrong("a frame", "an array", values)
    event = values[0]
    if isinstance(event, bool) or not isinstance(event, (str, int)):
        raise WireError(f"an event is a name or a number, not {type(event).__name__}")
    values += [None, None]
    return Frame(event, values[1], values[2])
