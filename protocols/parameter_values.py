"""Values of parameters, read from a word of GTP or a value of JSON."""

from __future__ import annotations

import math
from dataclasses import dataclass

from engine.errors import SettingError

_TRUTHS = {"true": True, "t": True, "1": True, "false": False, "f": False, "0": False}
QUOTED = 80  # characters of a value repeated in an error


@dataclass(frozen=True)
class Number:
    """A number from low to high."""

    low: float
    high: float

    def read(self, name: str, value: object) -> float:
        """Returns the number of a JSON value or a word; raises SettingError."""
        try:
            number = float(value) if isinstance(value, str | int | float) else math.nan
        except (ValueError, OverflowError):
            number = math.nan
        if isinstance(value, bool) or not self.low <= number <= self.high:
            quoted = str(value)[:QUOTED]
            raise SettingError(f"{name} must be from {self.low:g} to {self.high:g}, not {quoted!r}")
        return number


@dataclass(frozen=True)
class Whole(Number):
    """A whole number from low to high."""

    def read(self, name: str, value: object) -> int:
        """Returns the whole number of a JSON value or a word; raises SettingError."""
        number = super().read(name, value)
        if number != int(number):
            raise SettingError(f"{name} must be a whole number, not {str(value)[:QUOTED]!r}")
        return int(number)


class Truth:
    """True or false."""

    def read(self, name: str, value: object) -> bool:
        """Returns the boolean of a JSON value or a word; raises SettingError."""
        truth = value if isinstance(value, bool) else _TRUTHS.get(str(value).strip().lower())
        if truth is None:
            raise SettingError(f"{name} must be true or false, not {str(value)[:QUOTED]!r}")
        return truth


class Word:
    """Any word."""

    def read(self, _name: str, value: object) -> str:
        """Returns the word itself."""
        return str(value)


@dataclass(frozen=True)
class OneOf:
    """One of several words, in any case."""

    values: dict[str, int]  # values by word, upper case
    words: dict[int, str]  # words by value, as KataGo writes them

    def read(self, name: str, value: object) -> int:
        """Returns the value of a word; raises SettingError."""
        word = str(value).strip().upper()
        if word not in self.values:
            known = ", ".join(filter(None, self.values))
            raise SettingError(f"{name} must be one of {known}, not {str(value)[:QUOTED]!r}")
        return self.values[word]


Kind = Number | Whole | Truth | Word | OneOf
TRUTH = Truth()
WORD = Word()
UNIT = Number(0.0, 1.0)
FACTOR = Number(0.0, 1e50)
PLAYER = OneOf({"": -1, "E": -1, "B": 0, "BLACK": 0, "W": 1, "WHITE": 1}, {-1: "E", 0: "B", 1: "W"})
