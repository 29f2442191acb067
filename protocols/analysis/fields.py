"""Fields of a JSON query, read one at a time, with KataGo's error messages.

It checks JSON types, ranges, colors and board points.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

from engine.games.table import read_vertex

Fields = Mapping[str, Any]

WANTS_MOVES = 'Must be an array of pairs of the form: ["b" or "w", GTP board vertex]'
WANTS_POINTS = "Must be an array of GTP board vertices"
COLORS = {"b": 0, "black": 0, "w": 1, "white": 1}


class FieldError(Exception):
    """A field cannot be used; carries its name and the reason."""

    def __init__(self, field: str, message: str) -> None:
        super().__init__(message)
        self.field = field
        self.message = message


def integer(fields: Fields, name: str, low: int, high: int, message: str) -> int:
    """The whole number under `name`, from low to high."""
    value = fields.get(name)
    if isinstance(value, int) and not isinstance(value, bool) and low <= value <= high:
        return value
    raise FieldError(name, message)


def integers(fields: Fields, name: str, message: str) -> list[int]:
    """The list of whole numbers under `name`."""
    values = fields.get(name)
    if isinstance(values, list) and all(
        isinstance(value, int) and not isinstance(value, bool) for value in values
    ):
        return values
    raise FieldError(name, message)


def number(fields: Fields, name: str, low: float, high: float, message: str) -> float:
    """The finite number under `name`, from low to high."""
    value = fields.get(name)
    if isinstance(value, int | float) and not isinstance(value, bool) and low <= value <= high:
        return float(value)  # an infinite or undefined value is not between the bounds
    raise FieldError(name, message)


def truth(fields: Fields, name: str) -> bool:
    """The boolean under `name`."""
    value = fields.get(name)
    if isinstance(value, bool):
        return value
    raise FieldError(name, "Must be a boolean")


def text(fields: Fields, name: str) -> str:
    """The text under `name`."""
    value = fields.get(name)
    if isinstance(value, str):
        return value
    raise FieldError(name, "Must be a string")


def player(fields: Fields, name: str) -> int:
    """The color under `name`: 0 Black, 1 White."""
    value = fields.get(name)
    color = COLORS.get(value.lower()) if isinstance(value, str) else None
    if color is None:
        raise FieldError(name, 'Must be "b" or "w"')
    return color


def point(name: str, text: str, size: tuple[int, int], *, passing: bool) -> int:
    """Returns the move of "C4", "(2,15)" (column and row from the top left) or "pass"."""
    try:
        move = read_vertex(text, *size)
    except ValueError:
        move = -1
    if move < 0 or (move == math.prod(size) and not passing):
        raise FieldError(name, f"Could not parse board location: {text[:100]}")
    return move


def points(fields: Fields, name: str, size: tuple[int, int]) -> frozenset[int]:
    """The moves listed under `name`, passing among them or not."""
    values = fields.get(name)
    if not isinstance(values, list) or not all(isinstance(value, str) for value in values):
        raise FieldError(name, WANTS_POINTS)
    return frozenset(point(name, value, size, passing=True) for value in values)


def moves(
    fields: Fields, name: str, size: tuple[int, int], *, passing: bool
) -> tuple[tuple[int, int], ...]:
    """The (color, move) pairs listed under `name`."""
    values = fields.get(name)
    if not isinstance(values, list):
        raise FieldError(name, WANTS_MOVES)
    played = []
    for value in values:
        if not isinstance(value, list) or [type(part) for part in value] != [str, str]:
            raise FieldError(name, WANTS_MOVES)
        color = COLORS.get(value[0].lower())
        if color is None:
            raise FieldError(name, f"Could not parse player: {value[0][:100]}")
        played.append((color, point(name, value[1], size, passing=passing)))
    return tuple(played)
