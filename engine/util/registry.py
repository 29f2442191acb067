"""Tables of named rows, such as agents and personas, looked up by `NAME` or `NAME:ARGUMENT`."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from difflib import get_close_matches
from typing import Protocol, TypeVar


class Named(Protocol):
    """A row of such a table."""

    @property
    def games(self) -> tuple[str, ...]:
        """The games with this row: keys of engine.games.table.GAMES."""


K = TypeVar("K", bound=Named)


def unknown_name(what: str, text: str, known: Collection[str], *, name: str = "") -> ValueError:
    """Returns the error for an unknown name: it quotes the text and lists the known names.

    what: begins the message, as "no setting". name: the part of the text looked up; empty means all
    of it. The nearest known name goes before the list.
    """
    near = get_close_matches((name or text).lower(), known, n=1)
    hint = f"did you mean {near[0]!r}? " if near else ""
    return ValueError(f"{what} {text!r}: {hint}there are {', '.join(known)}")


def check_row(what: str, text: str, names: Collection[str], *, name: str) -> None:
    """Raises ValueError, quoting the text and listing the names, unless `name` is among them.

    what: the noun for a row, for messages. name: the part of the text before its argument.
    """
    if name not in names:
        raise unknown_name(f"no {what}", text, names, name=name)


def find_row(what: str, text: str, table: Mapping[str, K], game: str) -> tuple[K, str]:
    """Returns the row named by the text, and the text's argument, empty without one.

    what: the noun for a row, for messages. game: a key of engine.games.table.GAMES. Raises
    ValueError quoting a text without a row, or with a row of other games only.
    """
    name, _, argument = text.partition(":")
    check_row(what, text, table, name=name)
    kind = table[name]
    if game not in kind.games:
        raise ValueError(f"{what} {text!r} plays {' and '.join(kind.games)}, not {game!r}")
    return kind, argument
