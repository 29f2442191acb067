"""Settings as a text: parts with colons between them, as in "rank_5k:lambda=0.3"."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class SettingsGrammar:
    """The parts of one kind of text: NAME=VALUE, or a word without a name."""

    names: Mapping[str, str]  # NAME -> field
    forms: Sequence[str]  # the parts, for the user
    word: Callable[[str], Iterable[tuple[str, str]]]  # a word -> fields with their values' texts
    value: Callable[[str, str], object]  # (field, text) -> its value; raises ValueError
    check: Callable[..., object] | None = None  # takes each field alone; raises ValueError

    def read(self, *texts: str) -> dict[str, Any]:
        """Returns the fields that the texts set; a later text wins over those before it.

        An empty text sets nothing. Raises ValueError, quoting a wrong part, and one that sets a
        field of its own text again.
        """
        values: dict[str, Any] = {}
        for text in texts:
            values |= self._fields(text)
        return values

    def _fields(self, text: str) -> dict[str, Any]:
        """Returns the fields of one text."""
        values: dict[str, Any] = {}
        for part in text.split(":") if text else ():
            for field, written in self._texts(part):
                if field in values:
                    raise ValueError(f"{part!r} sets {field} again")
                try:
                    values[field] = self.value(field, written)
                    if self.check is not None:
                        self.check(**{field: values[field]})
                except ValueError as error:
                    raise ValueError(f"{part!r}: {error}") from error
        return values

    def _texts(self, part: str) -> Iterable[tuple[str, str]]:
        """Returns the fields of a part, with the texts of their values."""
        name, equals, written = part.partition("=")
        if not equals:
            return self.word(part)
        if name not in self.names:
            raise ValueError(f"{part!r} is none of {', '.join(self.forms)}")
        return [(self.names[name], written)]


def number(field: str, text: str, parse: Callable[[str], float] = float) -> float:
    """Returns the number of a text. Raises ValueError, quoting field and text."""
    try:
        return parse(text)
    except ValueError as error:
        raise ValueError(f"{field} {text!r} is no number") from error
