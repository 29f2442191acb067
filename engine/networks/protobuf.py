"""Reads messages of Protocol Buffers without generated code.

The encoding is https://protobuf.dev/programming-guides/encoding: each field is a key, which is
8 * number + type, and a value. Fields that nobody asks for are skipped.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator

VARINT, EIGHT_BYTES, LENGTH, FOUR_BYTES = 0, 1, 2, 5  # types of values
VARINT_BYTES = 10  # at most

Value = int | memoryview  # four and eight bytes stay bytes


class Message:
    """One message. A field of the wrong type raises ValueError, like bytes that end too early."""

    def __init__(self, data: bytes | memoryview = b"") -> None:
        self._fields: dict[int, list[Value]] = {}
        for number, value in _fields(memoryview(data)):
            self._fields.setdefault(number, []).append(value)

    def __contains__(self, number: int) -> bool:
        """Whether the message has this field."""
        return number in self._fields

    def integer(self, number: int, default: int = 0) -> int:
        """Returns an integer or an enumeration; the last one if there are several."""
        value = self._last(number, default)
        if not isinstance(value, int):
            raise _wrong(number, "an integer")
        return value

    def single(self, number: int, default: float = 0.0) -> float:
        """Returns a number of single precision."""
        value = self._last(number, struct.pack("<f", default))
        if isinstance(value, int) or len(value) != struct.calcsize("<f"):
            raise _wrong(number, "a number of four bytes")
        return float(struct.unpack("<f", value)[0])

    def data(self, number: int) -> memoryview:
        """Returns bytes; without the field, none."""
        value = self._last(number, b"")
        if isinstance(value, int):
            raise _wrong(number, "bytes")
        return memoryview(value)

    def message(self, number: int) -> Message:
        """Returns a message; without the field, an empty one."""
        return Message(self.data(number))

    def messages(self, number: int) -> list[Message]:
        """Returns the messages of a repeated field."""
        values = self._fields.get(number, [])
        if any(isinstance(value, int) for value in values):
            raise _wrong(number, "a message")
        return [Message(value) for value in values if not isinstance(value, int)]

    def _last(self, number: int, default: int | bytes) -> int | bytes | memoryview:
        values = self._fields.get(number)
        return values[-1] if values else default


def _wrong(number: int, expected: str) -> ValueError:
    return ValueError(f"field {number} is not {expected}")


def _fields(data: memoryview) -> Iterator[tuple[int, Value]]:
    """Yields (number, value) of each field."""
    at = 0
    while at < len(data):
        key, at = _varint(data, at)
        kind = key & 7
        if kind == VARINT:
            value, at = _varint(data, at)
            yield key >> 3, value
            continue
        if kind == LENGTH:
            size, at = _varint(data, at)
        elif kind in (FOUR_BYTES, EIGHT_BYTES):
            size = 4 if kind == FOUR_BYTES else 8
        else:
            raise ValueError(f"field {key >> 3} has the unknown type {kind}")
        if size > len(data) - at:
            raise ValueError(f"field {key >> 3} has {size} bytes, {len(data) - at} are left")
        yield key >> 3, data[at : at + size]
        at += size


def _varint(data: memoryview, at: int) -> tuple[int, int]:
    """Returns an integer of seven bits a byte, and the place after it."""
    value = 0
    for index, byte in enumerate(data[at : at + VARINT_BYTES]):
        value |= (byte & 0x7F) << (7 * index)
        if byte < 0x80:
            return value, at + index + 1
    raise ValueError("an integer does not end")
