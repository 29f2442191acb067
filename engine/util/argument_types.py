"""Numbers on the command line: what an option's text may be, and how it is refused."""

from __future__ import annotations

import argparse
import math

DIGITS = 9  # of a count at most, which then fits every integer that it goes to
LAST_PORT = 65535


def count(text: str) -> int:
    """The number above 0 that an option's text is; raises ArgumentTypeError quoting it."""
    if not (text.isascii() and text.isdecimal() and text.strip("0")):
        raise argparse.ArgumentTypeError(f"{text!r} is no whole number above 0")
    if len(text) > DIGITS:
        raise argparse.ArgumentTypeError(f"{text!r} is too large: {DIGITS} digits at most")
    return int(text)


def counts(text: str) -> list[int]:
    """The numbers above 0 that a text such as 14,16 lists; raises ArgumentTypeError."""
    return [count(word.strip()) for word in text.split(",")]


def port(text: str) -> int:
    """The TCP port that an option's text is; raises ArgumentTypeError quoting it."""
    if not (text.isascii() and text.isdecimal() and len(text) <= 5 and int(text) <= LAST_PORT):
        raise argparse.ArgumentTypeError(f"{text!r} is no port: 0 (any free one) to {LAST_PORT}")
    return int(text)


def positive(text: str) -> float:
    """The finite number above 0 that an option's text is; raises ArgumentTypeError quoting it."""
    try:
        number = float(text)
    except ValueError:
        number = 0.0
    if not 0 < number < math.inf:
        raise argparse.ArgumentTypeError(f"{text!r} is no number above 0")
    return number
