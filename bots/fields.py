"""Typed reading of a server's JSON: each function checks one value and raises WireError."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any, TypeVar

T = TypeVar("T")

LONGEST_QUOTE = 80  # characters of a bad value in an error
LARGEST_NUMBER = 2**53  # JSON's numbers are doubles


class WireError(ValueError):
    """A message of the wrong shape."""


def mapping(value: object, name: str) -> Mapping[str, Any]:
    """Returns an object of JSON; name: the name of the value in an error."""
    if isinstance(value, dict):
        return value
    raise wrong(name, "an object", value)


def sequence(value: object, name: str) -> Sequence[Any]:
    """Returns an array of JSON."""
    if isinstance(value, list):
        return value
    raise wrong(name, "an array", value)


def number(value: object, name: str) -> float:
    """Returns a finite number; texts of numbers count, as the server sends some of them so."""
    try:
        result = float(value) if isinstance(value, (int, float, str)) else math.nan
    except (ValueError, OverflowError):
        result = math.nan
    if isinstance(value, bool) or not abs(result) <= LARGEST_NUMBER:
        raise wrong(name, "a number", value)
    return result


def integer(value: object, name: str) -> int:
    """Returns a whole number."""
    result = number(value, name)
    if result != int(result):
        raise wrong(name, "a whole number", value)
    return int(result)


def truth(value: object, name: str) -> bool:
    """Returns a truth value; the server sends 0 and 1 too, and nothing for false."""
    if value is None or value in (0, 1):
        return bool(value)
    raise wrong(name, "true or false", value)


def text(value: object, name: str, *, longest: int = 10_000) -> str:
    """Returns a text of at most `longest` characters, without the characters beyond."""
    if isinstance(value, str):
        return value[:longest]
    raise wrong(name, "a text", value)


def one_of(value: object, name: str, choices: Mapping[str, T]) -> T:
    """Returns the choice that a text names."""
    word = text(value, name)
    if word not in choices:
        raise wrong(name, f"one of {', '.join(choices)}", value)
    return choices[word]


def wrong(name: str, wanted: str, value: object) -> WireError:
    """Returns the error of a value of the wrong kind; long values are cut."""
    shown = ascii(value)
    cut = shown if len(shown) <= LONGEST_QUOTE else shown[:LONGEST_QUOTE] + "..."
    return WireError(f"{name} should be {wanted}, not {cut}")
