"""The location of a store, and its text without secrets."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import quote, quote_plus

from sqlalchemy import URL, make_url
from sqlalchemy.exc import ArgumentError

from engine.opponents.opponent_store import StoreError
from engine.opponents.store.late_notes import notes_path

HIDDEN = "***"


@dataclass(frozen=True, repr=False)
class StoreLocation:
    """The location of a database. Its text holds no secrets."""

    url: URL
    notes: Path  # the path beside which late notes lie

    @classmethod
    def named(cls, text: str) -> StoreLocation:
        """Reads an SQLAlchemy URL or the path of an SQLite file.

        Raises StoreError on anything else, without quoting it: it may hold a password.
        """
        try:
            url = make_url(text) if "://" in text else URL.create("sqlite", database=text)
        except (ArgumentError, ValueError):
            scheme = text.partition("://")[0]
            raise StoreError(f"not the URL of a database: {scheme}://{HIDDEN}") from None
        if url.get_backend_name() == "sqlite" and url.database in {None, "", ":memory:"}:
            raise StoreError("a store in SQLite needs a file's path")
        return cls(url, notes_path(text))

    @property
    def file(self) -> Path | None:
        """The file of an SQLite database; None for other databases and URLs with options."""
        url = self.url
        if url.get_backend_name() != "sqlite" or url.query or url.database is None:
            return None
        return Path(url.database)

    def __str__(self) -> str:
        """Returns the file's path, or the URL with its password hidden and without options."""
        if self.file is not None:
            return str(self.file)
        return self.url.set(query={}).render_as_string()

    def __repr__(self) -> str:
        """Returns the text without secrets: a URL's own representation shows its options."""
        return f"StoreLocation({self})"

    def without_secrets(self, text: str) -> str:
        """Returns a text about this location, such as a driver's error, with its secrets hidden."""
        values = [str(value) for value in (self.url.password, *self.url.query.values()) if value]
        secrets = [*values, *map(quote_plus, values), *(quote(value, safe="") for value in values)]
        for secret in sorted(secrets, key=len, reverse=True):
            text = text.replace(secret, HIDDEN)
        return re.sub(r"://([^:/@\s]*):[^@\s]*@", rf"://\1:{HIDDEN}@", text)
