"""Rows of a table asked for by a text `NAME` or `NAME:ARGUMENT`, such as agents and personas."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Protocol, TypeVar


class Named(Protocol):
    """A row of such a table."""

    @property
    def games(self) -> tuple[str, ...]:
        """Keys of engine.games.GAMES: where it can be asked for."""


K = TypeVar("K", bound=Named)


def named(what: str, text: str, table: Mapping[str, K], game: str) -> tuple[K, str]:
    """The row that the text names, and its argument, empty where there is none.

    what: the rows are called so. ValueError quotes a text that names none, or none of this game.
    """
    name, _, argument = text.partition(":")
    if name not in table:
        raise ValueError(f"no {what} {text!r}: there are {', '.join(table)}")
    kind = table[name]
    if game not in kind.games:
        raise ValueError(f"{what} {text!r} plays {' and '.join(kind.games)}, not {game!r}")
    return kind, argument
