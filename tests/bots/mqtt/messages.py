"""Messages for the tests, and the check that all messages keep to the schema."""

from __future__ import annotations

import json
from typing import Any

from bots.mqtt.request_reader import Packet
from bots.mqtt.schema import fault_in

REPLIES = "sparring/clients/board/replies"


def payload(kind: str, **fields: Any) -> bytes:
    """The payload of a request with its way back, as clients of MQTT 3.1.1 send it."""
    way_back = {"correlation_id": "1", "reply_to": REPLIES}
    return json.dumps({"type": kind, **way_back, **fields}).encode()


def packet(kind: str, **fields: Any) -> Packet:
    """A request as a packet."""
    return Packet("sparring/requests", payload(kind, **fields))


def checked(text: str | bytes, definition: str) -> dict[str, Any]:
    """A message of the service, checked against the schema."""
    message: dict[str, Any] = json.loads(text)
    assert fault_in(message, definition) == "", message
    return message
