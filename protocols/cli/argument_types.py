"""Argument types for argparse: numbers, and the messages for texts of another form."""

from __future__ import annotations

import argparse
import math

from engine.util.counts import read_count

LAST_PORT = 65535


def count(text: str) -> int:
    """Returns the whole number above 0 in the text; raises ArgumentTypeError quoting the text."""
    try:
        return read_count(text)
    except ValueError as error:
        raise argparse.ArgumentTypeError(str(error)) from error


def count_or_none(text: str) -> int:
    """Returns the whole number from 0 on in the text; raises ArgumentTypeError quoting the text."""
    return 0 if text == "0" else count(text)


def counts(text: str) -> list[int]:
    """Returns the whole numbers above 0 in a list such as 14,16; raises ArgumentTypeError."""
    return [count(word.strip()) for word in text.split(",")]


def port(text: str) -> int:
    """Returns the TCP port in the text; raises ArgumentTypeError quoting the text."""
    if not (text.isascii() and text.isdecimal() and len(text) <= 5 and int(text) <= LAST_PORT):
        raise argparse.ArgumentTypeError(f"{text!r} is not a port: 0 (any free one) to {LAST_PORT}")
    return int(text)


def positive(text: str) -> float:
    """Returns the finite number above 0 in the text; raises ArgumentTypeError quoting the text."""
    try:
        number = float(text)
    except ValueError:
        number = 0.0
    if not 0 < number < math.inf:
        raise argparse.ArgumentTypeError(f"{text!r} is not a number above 0")
    return number


def place(text: str) -> tuple[str, float]:
    """Parses PLAYER=ELO."""
    player, _, elo = text.rpartition("=")
    try:
        return player, float(elo)
    except ValueError:
        raise argparse.ArgumentTypeError(f"{text!r} is no PLAYER=ELO") from None
