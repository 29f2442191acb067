"""Packets of any content become requests, answers that quote them, or faults without a way back."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bots.mqtt.request_reader import (
    LONGEST_QUOTE,
    Fault,
    Incoming,
    NoWayBackError,
    Packet,
    read_packet,
)
from tests.bots.mqtt.messages import REPLIES, packet, payload

FILTERS = ("sparring/clients/#",)
MOST = 65536


def read(packet: Packet) -> Incoming:
    return read_packet(packet, FILTERS, MOST)


def fault_of(content: bytes) -> Fault:
    """The fault of a payload whose way back is in its properties."""
    own = Packet("t", content, response_topic=REPLIES, correlation_data=b"\x01\xff")
    incoming = read(own)
    assert incoming.fault is not None
    assert incoming.way_back.reply_to == REPLIES
    return incoming.fault


def test_the_way_back_may_be_in_the_properties_or_in_the_payload() -> None:
    by_payload = read(packet("start", board="go9"))
    assert by_payload.fields == {"type": "start", "board": "go9"}
    assert by_payload.way_back.correlation_id == "1"
    assert by_payload.way_back.correlation_data is None
    bare = json.dumps({"type": "start", "board": "go9"}).encode()
    by_property = read(Packet("t", bare, response_topic=REPLIES, correlation_data=b"\xff\x00"))
    assert by_property.way_back.reply_to == REPLIES
    assert by_property.way_back.correlation_id == "/wA="
    assert by_property.way_back.correlation_data == b"\xff\x00"


def test_properties_win() -> None:
    other = "sparring/clients/other"
    incoming = read(replace(packet("start", board="go9"), response_topic=other))
    assert incoming.way_back.reply_to == other


def test_the_shorter_expiry_counts() -> None:
    sent = replace(packet("start", board="go9", expires_in=5), expires_in=3)
    assert read(sent).expires_in == 3
    assert read(packet("start", board="go9", expires_in=5)).expires_in == 5


def test_a_further_attempt_is_the_same_request_and_another_content_is_not() -> None:
    first, again = (read(packet("start", board="go9", attempt=each)) for each in (1, 2))
    assert first.digest == again.digest
    assert first.way_back.key == again.way_back.key
    assert (first.attempt, again.attempt) == (1, 2)
    assert read(packet("start", board="go13")).digest != first.digest


MALFORMED = [
    b"",
    b"\x00\xff",
    b"hello",
    b"[]",
    b"7",
    b'"start"',
    b"null",
    b"{",
    b'{"type": "start"',
    b'{"type": NaN}',
    b'{"type": "start", "board": "go9", "komi": Infinity}',
    b'{"type": "start", "board": "go9", "komi": 1e400}',
    b'{"type": "start", "board": "go9", "komi": %s}' % (b"9" * 4000),
    b'{"type": "start", "board": "go9", "opponent": "\\ud800"}',
    b'{"type": "start", "board": "go9", "opponent": "a\\u0000b"}',
    b'{"type": "play", "move": "D4\\n"}',
    b'{"type": "waltz"}',
    b'{"type": ["start"]}',
    b'{"type": {"start": 1}}',
    b'{"type": "start"}',
    b'{"type": "start", "board": "go9", "attempt": 0}',
    b'{"type": "start", "board": "go9", "expires_in": 0}',
    b"[" * 60_000,
    b'{"a":' * 9000 + b"1" + b"}" * 9000,
    b'{"type": "analyze", "query": ' + b'{"a":' * 900 + b"1" + b"}" * 901,
]


@pytest.mark.parametrize("content", MALFORMED)
def test_malformed_payloads_are_answered_with_a_quote(content: bytes) -> None:
    fault = fault_of(content)
    assert fault.code == "malformed"
    assert fault.message
    quote = fault.as_json().get("quoted", "")
    assert len(quote) <= LONGEST_QUOTE
    beginning = content.partition(b"\\")[0][:20]
    if beginning.isascii() and beginning.decode().isprintable():
        assert quote.startswith(beginning.decode())


def test_payloads_of_10_megabytes_are_answered_and_not_read() -> None:
    fault = fault_of(b'{"type": "start", "board": "' + b"x" * 10_000_000)
    assert fault.code == "too_large"
    assert "10000028" in fault.message
    assert fault.quoted.startswith('{"type": "start"')
    assert len(fault.quoted) == LONGEST_QUOTE


NO_WAY_BACK = [
    (Packet("t", b"hello"), "malformed"),
    (Packet("t", b"x" * 10_000_000), "too_large"),
    (Packet("t", b'{"type": "start", "board": "go9"}'), "no_reply_topic"),
    (Packet("t", b'{"type": "start", "reply_to": 7}'), "no_reply_topic"),
    (Packet("t", payload("start", correlation_id=None)), "no_correlation_id"),
    (Packet("t", payload("start", correlation_id="")), "no_correlation_id"),
    (Packet("t", payload("start", correlation_id="x" * 201)), "no_correlation_id"),
    (Packet("t", payload("start", correlation_id="a\0b")), "no_correlation_id"),
    (Packet("t", payload("start"), correlation_data=b""), "no_correlation_id"),
    (Packet("t", payload("start"), correlation_data=b"x" * 201), "no_correlation_id"),
    (Packet("t", payload("start", reply_to="$SYS/broker")), "bad_reply_topic"),
    (Packet("t", payload("start", reply_to="sparring/clients/#")), "bad_reply_topic"),
    (Packet("t", payload("start"), response_topic="other/place"), "bad_reply_topic"),
    (Packet("t", b"hello", response_topic="other", correlation_data=b"1"), "bad_reply_topic"),
]


@pytest.mark.parametrize(("sent", "code"), NO_WAY_BACK)
def test_packets_without_a_usable_way_back_are_faults(sent: Packet, code: str) -> None:
    with pytest.raises(NoWayBackError) as caught:
        read(sent)
    assert caught.value.fault.code == code
    assert len(caught.value.fault.as_json().get("quoted", "")) <= LONGEST_QUOTE


NAMES = st.sampled_from(
    "type board game token move query komi attempt expires_in reply_to correlation_id".split()
)
VALUES = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats()
    | st.text()
    | st.sampled_from(("start", "play", "analyze", "go9", "1", REPLIES, "$SYS/x")),
    lambda inner: st.lists(inner) | st.dictionaries(NAMES | st.text(), inner),
    max_leaves=12,
)


def any_reading(packet: Packet) -> None:
    """Reads a packet; only its fault without a way back is raised, and answers are short."""
    try:
        incoming = read(packet)
    except NoWayBackError as error:
        fault: Fault | None = error.fault
    else:
        fault = incoming.fault
        assert incoming.way_back.reply_to.startswith("sparring/clients/")
        assert (incoming.fields is None) == (fault is not None)
    if fault is not None:
        json.dumps(fault.as_json(), ensure_ascii=False).encode()


@settings(max_examples=150)
@given(
    st.dictionaries(NAMES, VALUES),
    st.none() | st.sampled_from((REPLIES, "", "$SYS", "#")),
    st.none() | st.binary(max_size=300),
)
def test_objects_of_any_shape_are_read(
    content: dict[str, Any], topic: str | None, data: bytes | None
) -> None:
    any_reading(Packet("t", json.dumps(content).encode(), topic, data))


@settings(max_examples=150)
@given(st.binary(max_size=200), st.booleans())
def test_bytes_of_any_kind_are_read(content: bytes, has_way_back: bool) -> None:
    way_back = (REPLIES, b"1") if has_way_back else (None, None)
    any_reading(Packet("t", content, *way_back))


@settings(max_examples=100)
@given(st.integers(0, 200), st.integers(0, 255))
def test_a_request_with_one_byte_changed_is_read(place: int, byte: int) -> None:
    content = bytearray(payload("start", board="go9", komi=7.5, persona="even", opponent="Ann"))
    content[place % len(content)] = byte
    any_reading(Packet("t", bytes(content)))
