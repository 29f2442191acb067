"""The messages between the page and the engine: JSON objects, one a line, with a version.

The module is a pure codec. COMMANDS is the table of the page's messages: the fields of each, and
the reader of each field. The engine's messages are written by `written`.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

VERSION = 1
LONGEST_MESSAGE = 16_384  # characters; a game to resume has all its moves
LONGEST_TEXT = 200  # characters
MOST_MOVES = 1500


class MessageError(ValueError):
    """A message of the page cannot be read; the text is for the page."""


@dataclass(frozen=True, slots=True)
class PageCommand:
    """One message of the page: its type, and its fields as its row of COMMANDS reads them."""

    name: str
    fields: Mapping[str, Any]

    def text(self, field: str) -> str:
        """Returns a field of text; empty if it is absent."""
        return str(self.fields.get(field, ""))

    def whole(self, field: str, absent: int = 0) -> int:
        """Returns a field with a whole number."""
        return int(self.fields.get(field, absent))

    def moves(self) -> tuple[str, ...]:
        """Returns the moves of a game to resume."""
        return tuple(self.fields.get("moves", ()))

    def clocks(self) -> tuple[tuple[float, float, int], ...] | None:
        """Returns the time left of both colors in a game to resume; None: not stated."""
        return self.fields.get("clocks")

    def number(self, field: str) -> float | None:
        """Returns a field with a number; None if it is absent."""
        value = self.fields.get(field)
        return None if value is None else float(value)


def _text(value: object) -> str:
    if not isinstance(value, str) or len(value) > LONGEST_TEXT or not value.isprintable():
        raise ValueError
    return value


def _whole(value: object) -> int:
    if not isinstance(value, int) or isinstance(value, bool) or not 0 <= value < 2**53:
        raise ValueError
    return value


def _number(value: object) -> float:
    if not isinstance(value, int | float) or isinstance(value, bool) or not -1e6 < value < 1e6:
        raise ValueError
    return float(value)


def _clocks(value: object) -> tuple[tuple[float, float, int], ...]:
    """Reads the time left of both colors, each [main, period, periods] as PageClocks has it."""
    if not isinstance(value, list) or len(value) != 2:
        raise ValueError
    return tuple(_clock(each) for each in value)


def _clock(value: object) -> tuple[float, float, int]:
    if not isinstance(value, list) or len(value) != 3:
        raise ValueError
    main, period, periods = value
    if min(_number(main), _number(period)) < 0:
        raise ValueError
    return _number(main), _number(period), _whole(periods)


def _moves(value: object) -> tuple[str, ...]:
    if not isinstance(value, list) or len(value) > MOST_MOVES:
        raise ValueError
    return tuple(_text(move) for move in value)


Field = Callable[[object], object]
GAME: dict[str, Field] = {  # the fields of a new game; all may be absent
    "game": _text,
    "width": _whole,
    "height": _whole,
    "color": _whole,  # the person's
    "strength": _text,
    "rules": _text,
    "komi": _number,
    "handicap": _whole,  # stones
    "name": _text,  # the person's
    "main": _number,  # seconds of the clock; without them the game has none
    "period": _number,  # seconds
    "periods": _whole,
    "increment": _number,  # seconds
}
COMMANDS: dict[str, Mapping[str, Field]] = {
    "hello": {"visitor": _text, "name": _text},
    "new": GAME,
    "resume": GAME | {"moves": _moves, "clocks": _clocks},
    "continue": {},  # the latest game that the person left
    "move": {"at": _text},
    "undo": {},
    "hint": {},
    "resign": {},
    "flag": {},  # the person's clock has ended, as the page counts
    "mark": {"at": _text},  # a dead chain, or a living one again
    "agree": {},
    "play on": {},
    "strength": {"to": _text},
    "review": {},
    "lists": {},
    "records": {},  # the person's own games, and levels over time
    "download": {},
}


def read(line: str) -> PageCommand:
    """Returns the message of a line; raises MessageError on any other line."""
    if len(line) > LONGEST_MESSAGE:
        raise MessageError(f"a message has at most {LONGEST_MESSAGE} characters")
    try:
        fields = json.loads(line)
    except (ValueError, RecursionError) as error:
        raise MessageError("a message is a JSON object") from error
    if not isinstance(fields, dict):
        raise MessageError("a message is a JSON object")
    if fields.pop("v", None) != VERSION:
        raise MessageError("the page is of another version than the engine: load it again")
    name = fields.pop("type", None)
    if not isinstance(name, str) or name not in COMMANDS:
        raise MessageError(f"there is no message {str(name)[:LONGEST_TEXT]!r}")
    return PageCommand(name, dict(_fields(name, fields)))


def _fields(name: str, fields: Mapping[str, object]) -> list[tuple[str, object]]:
    """Returns the fields of a message, as its row reads them; raises MessageError."""
    row, values = COMMANDS[name], []
    for field, value in fields.items():
        if field not in row:
            raise MessageError(f"{name} has no field {field[:LONGEST_TEXT]!r}")
        if value is None:
            continue
        try:
            values.append((field, row[field](value)))
        except ValueError as error:
            raise MessageError(f"{name} has a wrong {field!r}") from error
    return values


def written(name: str, /, **fields: object) -> str:
    """Returns a message of the engine as a line."""
    message = {"v": VERSION, "type": name, **fields}
    return json.dumps(message, ensure_ascii=False, allow_nan=False, separators=(",", ":")) + "\n"
