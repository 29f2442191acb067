"""Arguments of GTP commands: words to colors, numbers and booleans.

Values are read as GTP and KataGo write them. Colors are 0, the first to move, and 1.
"""

from __future__ import annotations

import math
import re

from protocols.gtp.codec import LARGEST_INTEGER, GtpError, quoted

Colors = tuple[str, str]  # the words of colors 0 and 1
BLACK_FIRST: Colors = ("black", "white")
WHITE_FIRST: Colors = ("white", "black")
LONGEST_SECONDS = 1e9


def color_or_none(word: str, colors: Colors) -> int | None:
    """Returns the color of a word or of its first letter, 0 or 1; None if it is no color.

    >>> color_or_none("W", BLACK_FIRST), color_or_none("white", WHITE_FIRST)
    (1, 0)
    """
    for value, name in enumerate(colors):
        if word.lower() in (name, name[0]):
            return value
    return None


def color(word: str, colors: Colors) -> int:
    """Returns the color of a word or of its first letter, 0 or 1; raises GtpError."""
    value = color_or_none(word, colors)
    if value is None:
        raise GtpError(f"Could not parse color: {quoted(word)}")
    return value


def integer_or_none(word: str) -> int | None:
    """Returns the whole number of a word; None if it is no 32-bit number."""
    if not re.fullmatch(r"[+-]?[0-9]{1,10}", word):
        return None
    value = int(word)
    return value if abs(value) <= LARGEST_INTEGER else None


def number_or_none(word: str) -> float | None:
    """Returns the finite number of a word; None if it is none."""
    try:
        value = float(word)
    except ValueError:
        return None
    return value if math.isfinite(value) and "_" not in word else None


def seconds(words: tuple[str, ...], index: int, what: str, *, negative: bool = False) -> float:
    """Returns words[index] as seconds; raises GtpError, with `what` as its name."""
    value = number_or_none(words[index]) if index < len(words) else None
    if value is None:
        raise GtpError(f"Expected float for {what} as argument {index}")
    if not (-LONGEST_SECONDS if negative else 0) <= value <= LONGEST_SECONDS:
        raise GtpError(f"{what} is an invalid value: {words[index]}")
    return value


def count(words: tuple[str, ...], index: int, what: str) -> int:
    """Returns words[index] as a number of stones or periods; raises GtpError."""
    value = integer_or_none(words[index]) if index < len(words) else None
    if value is None:
        raise GtpError(f"Expected int for {what} as argument {index}")
    if not 0 <= value <= 1_000_000:
        raise GtpError(f"{what} is an invalid value: {words[index]}")
    return value


def truth_or_none(word: str) -> bool | None:
    """True or False where a word says so in a way KataGo accepts; else None."""
    return {"true": True, "t": True, "1": True, "false": False, "f": False, "0": False}.get(
        word.lower()
    )


def expect(words: tuple[str, ...], how_many: int, what: str, command: str) -> None:
    """Raises GtpError unless there are so many words; `what` is the number in English."""
    if len(words) != how_many:
        raise GtpError(f"Expected {what} for {command} but got {quoted(' '.join(words))}")
