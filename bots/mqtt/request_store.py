"""The requests, replies and games of the service in a file; they survive the end of the process.

A request is written before the broker gets its acknowledgement. Its reply and the new state of its
game are written together, before the reply is published. The reply stays as long as a redelivery of
the request may come.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from enum import Enum
from pathlib import Path
from typing import Any

from bots.mqtt.request_reader import Incoming, WayBack
from bots.mqtt.served_game import MqttGame

TABLES = """
CREATE TABLE IF NOT EXISTS requests (
    number INTEGER PRIMARY KEY,
    key TEXT NOT NULL,
    digest TEXT NOT NULL,
    reply_to TEXT NOT NULL,
    correlation_id TEXT NOT NULL,
    correlation_data BLOB,
    type TEXT,
    fields TEXT,
    attempt INTEGER NOT NULL,
    expires REAL,
    reply TEXT,
    is_sent INTEGER NOT NULL DEFAULT 0,
    changed REAL NOT NULL,
    UNIQUE (key, digest)
) STRICT;
CREATE INDEX IF NOT EXISTS waiting ON requests (number) WHERE is_sent = 0;
CREATE TABLE IF NOT EXISTS games (
    id TEXT PRIMARY KEY,
    state TEXT NOT NULL,
    is_over INTEGER NOT NULL,
    is_published INTEGER NOT NULL,
    changed REAL NOT NULL
) STRICT;
PRAGMA user_version = 1;
"""
VERSION = 1


class Arrival(Enum):
    """The kind of an arrived request."""

    NEW = "new"  # to be carried out
    DUPLICATE = "duplicate"  # the same attempt again: nothing is sent
    REPEATED = "repeated"  # a further attempt: the stored reply is sent again
    REUSED = "reused"  # another request has the same id


@dataclass(frozen=True)
class StoredRequest:
    """One request of the store. number: in the order of arrival."""

    number: int
    way_back: WayBack
    type: str | None
    fields: dict[str, Any]
    expires: float | None  # time in seconds since 1970
    reply: str | None = None


class StoreFileError(Exception):
    """The store's file cannot be used."""


class RequestStore:
    """The store of one engine. For one thread. clock: time in seconds since 1970."""

    def __init__(self, path: Path, clock: Callable[[], float]) -> None:
        self._clock = clock
        try:
            path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            path.touch(mode=0o600, exist_ok=True)
            self._database = sqlite3.connect(path, isolation_level=None, timeout=5)
            self._database.execute("PRAGMA locking_mode = EXCLUSIVE")  # one process a store
            self._database.execute("PRAGMA journal_mode = WAL")
            self._database.execute("PRAGMA synchronous = FULL")
            version = self._value("PRAGMA user_version")
            if version not in {0, VERSION}:
                raise StoreFileError(f"{path} is of another version: {version}")
            self._database.executescript(TABLES)
        except (sqlite3.Error, OSError) as error:
            raise StoreFileError(f"the store {path}: {error}") from error

    def close(self) -> None:
        """Closes the file."""
        self._database.close()

    def arrive(
        self, incoming: Incoming, refuse: Callable[[Arrival], str | None]
    ) -> tuple[Arrival, int]:
        """Writes an arrived request; returns its kind, and its number in the store.

        refuse: returns the reply to a request that is refused at once, None for another. A reused
        id gets a row of its own, and its redelivery is a duplicate too.
        """
        way_back, now = incoming.way_back, self._clock()
        with self._transaction():
            row = self._database.execute(
                "SELECT number, attempt, reply FROM requests WHERE key = ? AND digest = ?",
                (way_back.key, incoming.digest),
            ).fetchone()
            if row is not None:
                number, attempt, reply = row
                if incoming.attempt <= attempt:
                    return Arrival.DUPLICATE, number
                self._database.execute(
                    "UPDATE requests SET attempt = ?, is_sent = 0, changed = ? WHERE number = ?",
                    (incoming.attempt, now, number),
                )
                return (Arrival.DUPLICATE if reply is None else Arrival.REPEATED), number
            others = self._value("SELECT count(*) FROM requests WHERE key = ?", way_back.key)
            arrival = Arrival.REUSED if others else Arrival.NEW
            expires = None if incoming.expires_in is None else now + incoming.expires_in
            number = self._database.execute(
                "INSERT INTO requests (key, digest, reply_to, correlation_id, correlation_data,"
                " type, fields, attempt, expires, reply, changed)"
                " VALUES (?,?,?,?,?,?,?,?,?,?,?)",
                (
                    *(way_back.key, incoming.digest, way_back.reply_to, way_back.correlation_id),
                    *(way_back.correlation_data, incoming.type),
                    None if incoming.fields is None else json.dumps(incoming.fields),
                    *(incoming.attempt, expires, refuse(arrival), now),
                ),
            ).lastrowid
        return arrival, number or 0

    def answer(self, number: int, reply: str, game: MqttGame | None = None) -> None:
        """Writes a reply, and the new state of its game with it."""
        now = self._clock()
        with self._transaction():
            self._database.execute(
                "UPDATE requests SET reply = ?, fields = NULL, is_sent = 0, changed = ?"
                " WHERE number = ? AND reply IS NULL",
                (reply, now, number),
            )
            if game is not None:
                self._write_game(game, now)

    def sent(self, number: int) -> None:
        """Notes that the broker has the reply.

        A loss of power may undo the note; the reply is sent again then.
        """
        with self._unhurried():
            self._database.execute(
                "UPDATE requests SET is_sent = 1, changed = ? WHERE number = ?",
                (self._clock(), number),
            )

    def request(self, number: int) -> StoredRequest:
        """Returns one request; raises KeyError."""
        rows = list(self._requests("number = ?", number))
        if not rows:
            raise KeyError(number)
        return rows[0]

    def unanswered(self) -> list[StoredRequest]:
        """Returns the requests without a reply, in the order of arrival."""
        return list(self._requests("is_sent = 0 AND reply IS NULL"))

    def unsent_numbers(self) -> list[int]:
        """Returns the numbers of requests with a reply the broker may lack."""
        rows = self._database.execute(
            "SELECT number FROM requests WHERE is_sent = 0 AND reply IS NOT NULL ORDER BY number"
        )
        return [row[0] for row in rows]

    def forget(self, seconds: float) -> int:
        """Removes replies sent so long ago, and games over so long ago; returns the number."""
        before = self._clock() - seconds
        with self._transaction():
            removed = self._database.execute(
                "DELETE FROM requests WHERE is_sent = 1 AND changed < ?", (before,)
            ).rowcount
            removed += self._database.execute(
                "DELETE FROM games WHERE is_over = 1 AND is_published = 1 AND changed < ?",
                (before,),
            ).rowcount
        return removed

    # ---- Games

    def game(self, game: str) -> MqttGame | None:
        """Returns a game; None for an unknown id."""
        text = self._value("SELECT state FROM games WHERE id = ?", game)
        return None if text is None else MqttGame.from_json(json.loads(text))

    def write_game(self, game: MqttGame) -> None:
        """Writes the state of a game without a request."""
        with self._transaction():
            self._write_game(game, self._clock())

    def unpublished_games(self) -> list[str]:
        """Returns the ids of games whose last state the broker may lack."""
        rows = self._database.execute("SELECT id FROM games WHERE is_published = 0 ORDER BY rowid")
        return [row[0] for row in rows]

    def published(self, game: str, number: int) -> None:
        """Notes that the broker has the state with this number of events, if it is the last.

        A loss of power may undo the note; the state is published again then.
        """
        stored = self.game(game)
        if stored is not None and stored.number == number:
            with self._unhurried():
                self._database.execute("UPDATE games SET is_published = 1 WHERE id = ?", (game,))

    def games_under_way(self) -> int:
        """Returns the number of games under way."""
        return int(self._value("SELECT count(*) FROM games WHERE is_over = 0"))

    def idle_games(self, seconds: float) -> list[str]:
        """Returns the ids of games under way without a change for so long."""
        rows = self._database.execute(
            "SELECT id FROM games WHERE is_over = 0 AND changed < ?", (self._clock() - seconds,)
        )
        return [row[0] for row in rows]

    def _write_game(self, game: MqttGame, now: float) -> None:
        self._database.execute(
            "INSERT INTO games (id, state, is_over, is_published, changed) VALUES (?, ?, ?, 0, ?)"
            " ON CONFLICT (id) DO UPDATE SET state = excluded.state, is_over = excluded.is_over,"
            " is_published = 0, changed = excluded.changed",
            (game.game, json.dumps(game.as_json()), int(game.is_over), now),
        )

    def _requests(self, condition: str, *values: object) -> Iterator[StoredRequest]:
        columns = "number, reply_to, correlation_id, correlation_data, type, fields, expires, reply"
        rows = self._database.execute(
            f"SELECT {columns} FROM requests WHERE {condition} ORDER BY number",  # noqa: S608
            values,
        )
        for number, reply_to, correlation_id, data, kind, fields, expires, reply in rows.fetchall():
            yield StoredRequest(
                number,
                WayBack(reply_to, correlation_id, data),
                kind,
                json.loads(fields) if fields else {},
                expires,
                reply,
            )

    def _value(self, query: str, *values: object) -> Any:  # noqa: ANN401 - a cell of any type
        row = self._database.execute(query, values).fetchone()
        return None if row is None else row[0]

    @contextmanager
    def together(self) -> Iterator[None]:
        """Joins the writes within to one transaction, with one wait for the disk."""
        with self._transaction():
            yield

    @contextmanager
    def _unhurried(self) -> Iterator[None]:
        """A transaction without a wait for the disk."""
        self._database.execute("PRAGMA synchronous = NORMAL")  # no fsync in WAL
        try:
            with self._transaction():
                yield
        finally:
            self._database.execute("PRAGMA synchronous = FULL")

    @contextmanager
    def _transaction(self) -> Iterator[None]:
        """A transaction, or a part of the one under way."""
        is_part = self._database.in_transaction
        if is_part:
            yield
            return
        try:
            self._database.execute("BEGIN IMMEDIATE")
            yield
            self._database.execute("COMMIT")
        except BaseException as error:
            if self._database.in_transaction:
                self._database.execute("ROLLBACK")
            if isinstance(error, sqlite3.Error):
                raise StoreFileError(f"the store cannot be written: {error}") from error
            raise
