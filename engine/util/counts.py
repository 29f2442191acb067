"""Whole numbers above 0, as people write them in options and in players' texts."""

from __future__ import annotations

DIGITS = 9  # most digits of a count, so that it fits every integer type


def read_count(text: str) -> int:
    """Returns the whole number above 0 in the text; raises ValueError quoting the text."""
    if not (text.isascii() and text.isdecimal() and text.strip("0")):
        raise ValueError(f"{text!r} is not a whole number above 0")
    if len(text) > DIGITS:
        raise ValueError(f"{text!r} is too large: {DIGITS} digits at most")
    return int(text)
