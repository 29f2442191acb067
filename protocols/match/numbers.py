"""Numbers on the command line: what an option's text may be, and how it is refused."""

from __future__ import annotations

import argparse
import math

from engine.records import SettingError
from engine.rules import checked_komi


def count(text: str) -> int:
    """The number above 0 that an option's text is; raises ArgumentTypeError quoting it."""
    if not (text.isascii() and text.isdecimal() and int(text) > 0):
        raise argparse.ArgumentTypeError(f"{text!r} is no whole number above 0")
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


def komi(text: str) -> float:
    """The komi that an option's text is; raises ArgumentTypeError quoting it."""
    try:
        return checked_komi(float(text))
    except SettingError as error:
        raise argparse.ArgumentTypeError(str(error)) from error
    except ValueError as error:
        raise argparse.ArgumentTypeError(f"{text!r} is no komi") from error
