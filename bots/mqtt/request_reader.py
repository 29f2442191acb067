"""Reads a PUBLISH packet into a request; the faults of a packet become answers.

A request has a topic for its reply and a correlation id: as properties of MQTT 5, or as the fields
`reply_to` and `correlation_id` of the payload. Properties win.
"""

from __future__ import annotations

import base64
import hashlib
import json
import math
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, NoReturn

from bots.mqtt.schema import REQUESTS, fault_in
from bots.mqtt.topics import BadTopicError, check_reply_topic

LONGEST_QUOTE = 200  # characters
LONGEST_ID = 200  # characters, or bytes of the property
BAD_CHARACTERS = re.compile(
    r"[\x00-\x08\x0b-\x1f\x7f\ud800-\udfff]"
)  # tab and newline are harmless
ENVELOPE = ("correlation_id", "reply_to", "attempt", "expires_in")
DEEPEST = 32  # levels of lists and objects
BAD_LEVEL = "the payload is nested too deeply"


@dataclass(frozen=True)
class Packet:
    """One PUBLISH packet as it arrived."""

    topic: str
    payload: bytes
    response_topic: str | None = None
    correlation_data: bytes | None = None
    expires_in: float | None = None  # seconds until the message expires


@dataclass(frozen=True)
class WayBack:
    """The topic and the ids of a reply."""

    reply_to: str
    correlation_id: str  # in the payload of the reply
    correlation_data: bytes | None  # the property of the reply; None: it has none

    @property
    def key(self) -> str:
        """The text under which requests of the same id meet."""
        own = self.correlation_data
        sign = f"id {self.correlation_id}" if own is None else f"data {own.hex()}"
        return hashlib.sha256(f"{self.reply_to}\0{sign}".encode()).hexdigest()


@dataclass(frozen=True)
class Fault:
    """The reason for a refused packet, for the field `error` of the answer."""

    code: str
    message: str
    quoted: str = ""

    def as_json(self) -> dict[str, str]:
        """Returns the field `error`."""
        quote = {"quoted": self.quoted[:LONGEST_QUOTE]} if self.quoted else {}
        return {"code": self.code, "message": self.message, **quote}


@dataclass(frozen=True)
class Incoming:
    """A packet with a way back: a request, or a fault to be answered.

    digest: of the content without the attempt; a redelivery has the same.
    """

    way_back: WayBack
    digest: str
    type: str | None = None  # of the request; None: unknown
    fields: dict[str, Any] | None = None  # without those of the envelope; None: a fault
    fault: Fault | None = None
    attempt: int = 1
    expires_in: float | None = None  # seconds


class NoWayBackError(Exception):
    """A packet cannot be answered to its sender."""

    def __init__(self, fault: Fault) -> None:
        super().__init__(fault.message)
        self.fault = fault


class _PayloadError(ValueError):
    """A payload is no JSON object; the text says why."""


def read_packet(
    packet: Packet, filters: Sequence[str], most_bytes: int, own: Sequence[str] = ()
) -> Incoming:
    """Reads a packet; raises NoWayBackError where its sender cannot be reached.

    filters: of topics for replies. most_bytes: of a payload. own: filters of topics of the service.
    """
    fault: Fault | None = None
    content: dict[str, Any] = {}
    if len(packet.payload) > most_bytes:
        text = f"a request has at most {most_bytes} bytes, not {len(packet.payload)}"
        fault = Fault("too_large", text, quoted(packet.payload))
    else:
        try:
            content = json_object(packet.payload)
        except _PayloadError as error:
            fault = Fault("malformed", str(error), quoted(packet.payload))
    way_back = way_back_of(packet, content, fault)
    try:
        check_reply_topic(way_back.reply_to, filters, own)
    except BadTopicError as error:
        bad = Fault("bad_reply_topic", str(error), way_back.reply_to[:LONGEST_QUOTE])
        raise NoWayBackError(bad) from error
    if fault is None:
        fault = fault_of(content, packet.payload)
    kind = content.get("type")
    known = kind if isinstance(kind, str) and kind in REQUESTS else None
    if fault is not None:
        return Incoming(way_back, hashlib.sha256(packet.payload).hexdigest(), known, fault=fault)
    own_expiry = content.get("expires_in")
    times = [seconds for seconds in (packet.expires_in, own_expiry) if seconds is not None]
    return Incoming(
        way_back,
        digest_of(content),
        known,
        {name: value for name, value in content.items() if name not in ENVELOPE},
        attempt=content.get("attempt", 1),
        expires_in=min(times, default=None),
    )


def json_object(payload: bytes) -> dict[str, Any]:
    """Returns the object of a payload; raises _PayloadError."""
    try:
        content = json.loads(
            payload.decode("utf-8"), parse_constant=_refuse_constant, parse_float=_finite
        )
    except _PayloadError:
        raise
    except UnicodeDecodeError as error:
        raise _PayloadError(f"the payload is not UTF-8: {error.reason}") from error
    except RecursionError as error:
        raise _PayloadError(BAD_LEVEL) from error
    except ValueError as error:
        raise _PayloadError(f"the payload is not JSON: {error}") from error
    if not isinstance(content, dict):
        raise _PayloadError("the payload is not a JSON object")
    return content


def way_back_of(packet: Packet, content: dict[str, Any], fault: Fault | None) -> WayBack:
    """Returns the way back of a packet; raises NoWayBackError without one.

    fault: of the payload, reported where the way back would have been in the payload.
    """
    reply_to = packet.response_topic or content.get("reply_to")
    if not isinstance(reply_to, str):
        text = "no response topic, neither as a property nor as the text `reply_to`"
        raise NoWayBackError(fault or Fault("no_reply_topic", text, quoted(packet.payload)))
    data, own_id = packet.correlation_data, content.get("correlation_id")
    text_id = own_id if isinstance(own_id, str) and is_id(own_id) else None
    if data is not None and not 0 < len(data) <= LONGEST_ID:
        text = f"the property CorrelationData has 1 to {LONGEST_ID} bytes"
        raise NoWayBackError(Fault("no_correlation_id", text, quoted(data)))
    if data is None and text_id is None:
        text = "no correlation id, neither as a property nor as the text `correlation_id`"
        raise NoWayBackError(fault or Fault("no_correlation_id", text, quoted(packet.payload)))
    return WayBack(reply_to, text_of(data or b"") if text_id is None else text_id, data)


def is_id(text: str) -> bool:
    """Tests whether a text can be a correlation id."""
    return 0 < len(text) <= LONGEST_ID and not BAD_CHARACTERS.search(text)


def text_of(data: bytes) -> str:
    r"""Returns correlation data as text: its own, or base64.

    >>> text_of(b"move-7"), text_of(b"\xff\x00")
    ('move-7', '/wA=')
    """
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError:
        return base64.b64encode(data).decode()
    return base64.b64encode(data).decode() if BAD_CHARACTERS.search(text) else text


def fault_of(content: dict[str, Any], payload: bytes) -> Fault | None:
    """Returns the fault of a JSON object as a request; None without one."""
    try:
        bad_text = next((text for text in texts_in(content) if BAD_CHARACTERS.search(text)), None)
        if bad_text is not None:
            text = "a text with control characters or a lone surrogate"
            return Fault("malformed", text, quoted(payload))
        kind = content.get("type")
        if kind not in REQUESTS:
            text = f"type is one of {', '.join(REQUESTS)}"
            return Fault("malformed", text, quoted(payload))
        fault = fault_in(content, str(kind))
    except _PayloadError as error:
        fault = str(error)
    except OverflowError:
        fault = "a number is too large"
    return Fault("malformed", fault, quoted(payload)) if fault else None


def texts_in(value: object, levels: int = DEEPEST) -> Iterator[str]:
    """Yields all texts of a JSON value, names of fields too; _PayloadError below so many levels."""
    if levels == 0:
        raise _PayloadError(BAD_LEVEL)
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for name, inner in value.items():
            yield name
            yield from texts_in(inner, levels - 1)
    elif isinstance(value, list):
        for inner in value:
            yield from texts_in(inner, levels - 1)


def digest_of(content: dict[str, Any]) -> str:
    """Returns the digest of a request; a further attempt has the same."""
    same = {name: value for name, value in content.items() if name != "attempt"}
    text = json.dumps(same, sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(text.encode()).hexdigest()


def quoted(payload: bytes) -> str:
    r"""Returns the beginning of a payload as text on one line.

    >>> quoted(b"{\x00oops\xff\n")
    '{?oops??'
    """
    text = payload[: 4 * LONGEST_QUOTE].decode("utf-8", errors="replace")[:LONGEST_QUOTE]
    return "".join(each if each.isprintable() and each != "\ufffd" else "?" for each in text)


def _refuse_constant(name: str) -> NoReturn:
    raise _PayloadError(f"the payload is not JSON: {name} is no number")


def _finite(text: str) -> float:
    number = float(text)
    if not math.isfinite(number):
        raise _PayloadError(f"the payload has a number out of range: {text[:20]}")
    return number
