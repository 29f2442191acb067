"""The aids of chess beside networks: another engine's values, endgame tables, an opening book.

Each is optional. The module imports python-chess with the first aid alone.
"""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from engine.errors import SettingError

if TYPE_CHECKING:
    from engine.search.endgame_tables import EndgameTables
    from engine.search.external_engine import ExternalEngine
    from engine.search.opening_book import OpeningBook


@dataclass(frozen=True, slots=True)
class ChessAids:
    """The aids as the user names them; empty: none."""

    engine: str = ""  # command line of a UCI engine, whose values count
    tables: str = ""  # folders of Syzygy tables, separated as in PATH
    book: str = ""  # file of a Polyglot book

    def check(self) -> None:
        """Raises SettingError quoting a folder or a file that is not there."""
        for folder in self.tables.split(os.pathsep) if self.tables else ():
            if not Path(folder).is_dir():
                raise SettingError(f"no folder {folder!r} of endgame tables")
        if self.book and not Path(self.book).is_file():
            raise SettingError(f"no opening book {self.book!r}")


NO_AIDS = ChessAids()


@dataclass(slots=True)
class OpenAids:
    """The aids of a search. For one thread at a time; `close` ends the engine."""

    engine: ExternalEngine | None = None
    tables: EndgameTables | None = None  # shared with other searches
    book: OpeningBook | None = None  # shared likewise

    @property
    def has_engine(self) -> bool:
        """Whether another engine gives its values."""
        return self.engine is not None and not self.engine.is_lost

    def give_tables(self, tree: object) -> None:
        """Gives the endgame tables to a tree of chess; other trees have no use for them."""
        if self.tables is not None:
            from engine.search.chess_tree import ChessTree  # noqa: PLC0415 (an optional module)

            if isinstance(tree, ChessTree):
                tree.tables = self.tables

    def close(self) -> None:
        """Ends the engine's process, if one runs."""
        if self.engine is not None:
            self.engine.close()


def open_aids(names: ChessAids) -> OpenAids:
    """Returns the aids of these names. Raises SettingError quoting a folder or file that is none.

    An engine starts with its first search.
    """
    aids = OpenAids()
    if names.engine:
        from engine.search.external_engine import (  # noqa: PLC0415 (an optional module)
            ExternalEngine,
        )

        aids.engine = ExternalEngine(names.engine)
    if names.tables:
        from engine.search.endgame_tables import open_tables  # noqa: PLC0415 (an optional module)

        aids.tables = open_tables(names.tables)
    if names.book:
        from engine.search.opening_book import open_book  # noqa: PLC0415 (an optional module)

        aids.book = open_book(names.book)
    return aids
