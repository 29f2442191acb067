"""Rows of a table asked for by a text `NAME` or `NAME:ARGUMENT`, such as agents and personas."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from difflib import get_close_matches
from typing import Protocol, TypeVar


class Named(Protocol):
    """A row of such a table."""

    @property
    def games(self) -> tuple[str, ...]:
        """Keys of engine.games.table.GAMES: where it can be asked for."""


K = TypeVar("K", bound=Named)


def unknown(what: str, text: str, known: Collection[str], *, name: str = "") -> ValueError:
    """Returns the error for a text whose name is not known: it quotes the text and lists the names.

    what: begins the message, as "no setting". name: the part of the text that is looked up; empty
    means all of it. The nearest known name goes before the list.
    """
    near = get_close_matches((name or text).lower(), known, n=1)
    hint = f"did you mean {near[0]!r}? " if near else ""
    return ValueError(f"{what} {text!r}: {hint}there are {', '.join(known)}")


def find_row(what: str, text: str, table: Mapping[str, K], game: str) -> tuple[K, str]:
    """The row that the text names, and its argument, empty where there is none.

    what: the rows are called so. ValueError quotes a text that names none, or none of this game.
    """
    name, _, argument = text.partition(":")
    if name not in table:
        raise unknown(f"no {what}", text, table, name=name)
    kind = table[name]
    if game not in kind.games:
        raise ValueError(f"{what} {text!r} plays {' and '.join(kind.games)}, not {game!r}")
    return kind, argument
