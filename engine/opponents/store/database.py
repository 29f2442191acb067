"""An open database: its transactions, the upgrade of its schema, its errors as StoreError.

The module handles the differences between SQLite and other databases. The tables are in
engine.opponents.store.models.
"""

from __future__ import annotations

import logging
import os
import sqlite3
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from sqlalchemy import Connection, Engine, create_engine, event, inspect, text
from sqlalchemy.exc import DBAPIError, IntegrityError, SQLAlchemyError
from sqlalchemy.orm import Session

from engine.opponents.opponent_store import StoreError
from engine.opponents.store.place import StoreLocation
from engine.opponents.store.quick import Quick, Step
from engine.util.optional_modules import absent

if TYPE_CHECKING:
    from alembic.config import Config

log = logging.getLogger("sparring")

REVISIONS = ("0001", "0002")  # steps of the schema, in their order
BUSY_SECONDS = 10.0  # waited for another process's writing
OPENING_SECONDS = 10.0  # waited for another process's making of the tables
CONNECTING_SECONDS = 10  # waited for PostgreSQL
UPGRADING = 0x5BA881  # PostgreSQL's advisory lock while the schema changes; any number of our own

IN_USE = (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED)
WRITES = "writes"  # option of a connection
BEGIN_WRITING = "BEGIN IMMEDIATE"  # SQLite's statement


class ConflictError(StoreError):
    """A write conflicts with the rows there: another process was faster."""


class Database:
    """An open database. Safe to use from several threads."""

    def __init__(self, place: StoreLocation, *, busy_seconds: float = BUSY_SECONDS) -> None:
        """Opens the database, or makes it with its schema. Raises StoreError."""
        self.place = place
        self._busy_seconds = OPENING_SECONDS  # another process may be making it
        self.is_sqlite = place.url.get_backend_name() == "sqlite"
        self._lock = threading.Lock()
        self._inode = 0  # of the open file
        with self._errors():
            self._engine = self._connected()
            self._writer = self._engine.execution_options(**{WRITES: True})
            self._quick = Quick(self._engine, BEGIN_WRITING if self.is_sqlite else "")
            self._open()
        self._busy_seconds = busy_seconds  # from the next connection on

    @contextmanager
    def reading(self) -> Iterator[Session]:
        """Yields a transaction with one state of the database. Raises StoreError."""
        with self._checked(), Session(self._engine) as session, session.begin():
            yield session

    @contextmanager
    def writing(self) -> Iterator[Connection]:
        """Yields a writing transaction, committed as a whole or not at all. Raises StoreError.

        SQLite admits one writing transaction at a time; other databases lock rows.
        """
        with self._checked(), self._writer.begin() as connection:
            yield connection

    def quickly(self, *steps: Step) -> bool:
        """Executes all steps in one transaction, or none. Returns whether it did.

        It takes a fifth of the time of `writing`, the way for steps that fail here.
        """
        with self._checked():
            return self._quick.done(steps)

    def forget_deleted(self) -> None:
        """Overwrites deleted rows in SQLite's log.

        Raises StoreError if another process still reads an older state.
        """
        if not self.is_sqlite:
            return
        with self._checked(), self._engine.connect() as connection:
            connection.rollback()
            cursor = connection.connection.cursor()
            is_held, *_ = cursor.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
        if is_held:
            raise StoreError(
                f"{self.place}: deleted data is still in the log of the file, because another"
                " process reads it: end that process, and delete once more"
            )

    def close(self) -> None:
        """Closes all idle connections."""
        self._quick.close()
        self._engine.dispose()

    @contextmanager
    def _checked(self) -> Iterator[None]:
        """Reopens a deleted or replaced file first: SQLite would write on into a deleted one."""
        with self._errors():
            if self.place.file is not None and _inode(self.place.file) != self._inode:
                self._open()
                log.warning("%s was deleted or replaced: a new file is opened", self.place)
            yield

    @contextmanager
    def _errors(self) -> Iterator[None]:
        """Turns database errors into StoreError, without secrets and without their chain."""
        try:
            yield
        except IntegrityError as error:
            raise ConflictError(f"{self.place}: {self._words(error)}") from None
        except (SQLAlchemyError, OSError, ModuleNotFoundError) as error:
            raise StoreError(f"{self.place}: {self._words(error)}") from None

    def _words(self, error: Exception) -> str:
        if isinstance(error, ModuleNotFoundError):
            return absent(error.name)
        cause = error.orig if isinstance(error, DBAPIError) and error.orig else error
        if isinstance(cause, OSError):
            return cause.strerror or type(cause).__name__
        lines = self.place.without_secrets(str(cause)).strip().splitlines()
        return lines[0] if lines else type(cause).__name__

    # ---- Opening

    def _open(self) -> None:
        """Makes the file and its tables if they are missing."""
        with self._lock:
            self.close()
            if self.place.file is not None:
                make_private(self.place.file)
                self._inode = _inode(self.place.file)
            try:
                self._bring_up_to_date()
            finally:
                self.close()

    def _connected(self) -> Engine:
        is_postgres = self.place.url.get_backend_name() == "postgresql"
        engine = create_engine(
            self.place.url,
            connect_args={"connect_timeout": CONNECTING_SECONDS} if is_postgres else {},
            pool_pre_ping=not self.is_sqlite,
            hide_parameters=True,  # errors must not name people
        )
        if self.is_sqlite:
            event.listen(engine, "connect", self._set_up_sqlite)
            event.listen(engine, "begin", _begin_sqlite)
        return engine

    def _bring_up_to_date(self) -> None:
        with self._engine.connect() as connection:
            version = _version(connection)
        if version == REVISIONS[-1]:
            return
        if version is not None and version not in REVISIONS:
            raise StoreError(f"{self.place} was made by a newer version of Sparring")
        with self._writer.begin() as connection:
            if connection.dialect.name == "postgresql":
                connection.execute(text("SELECT pg_advisory_xact_lock(:key)"), {"key": UPGRADING})
            upgrade(connection)

    def _set_up_sqlite(self, connection: sqlite3.Connection, _record: object) -> None:
        connection.isolation_level = None  # `_begin_sqlite` begins transactions
        connection.execute(f"PRAGMA busy_timeout={round(1000 * self._busy_seconds)}")
        self._in_wal(connection)
        connection.execute("PRAGMA synchronous=NORMAL")  # a machine's crash may take the last move
        connection.execute("PRAGMA foreign_keys=ON")
        connection.execute("PRAGMA secure_delete=ON")

    def _in_wal(self, connection: sqlite3.Connection) -> None:
        """Lets readers and a writer work at the same time.

        The pragma fails at once while others read, hence the loop.
        """
        until = time.monotonic() + self._busy_seconds
        while True:
            try:
                connection.execute("PRAGMA journal_mode=WAL")
            except sqlite3.OperationalError as error:
                if error.sqlite_errorcode & 0xFF not in IN_USE or time.monotonic() > until:
                    raise
                time.sleep(0.01)
            else:
                return


def _inode(path: Path) -> int:
    """Returns the file's inode number; 0 without a file."""
    try:
        return path.stat().st_ino
    except FileNotFoundError:
        return 0


def make_private(path: Path) -> None:
    """Makes the file and its folder, readable by this user alone; leaves existing ones alone."""
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    os.close(os.open(path, os.O_CREAT | os.O_RDWR, 0o600))


def upgrade(connection: Connection) -> None:
    """Upgrades the schema in the open transaction."""
    logging.getLogger("alembic").setLevel(logging.WARNING)  # it logs while imported
    from alembic import command  # noqa: PLC0415 - heavy, and seldom needed

    command.upgrade(migrations(connection), "head")


def migrations(connection: Connection) -> Config:
    """Returns alembic's configuration for commands in this connection's transaction."""
    from alembic.config import Config  # noqa: PLC0415

    config = Config(attributes={"connection": connection})
    config.set_main_option("script_location", str(Path(__file__).parent / "migrations"))
    config.set_main_option("path_separator", "os")
    return config


def _version(connection: Connection) -> str | None:
    """Returns the schema's revision; None without a schema."""
    if not inspect(connection).has_table("alembic_version"):
        return None
    version: str | None = connection.scalar(text("SELECT version_num FROM alembic_version"))
    return version


def _begin_sqlite(connection: Connection) -> None:
    writes = connection.get_execution_options().get(WRITES)
    connection.exec_driver_sql(BEGIN_WRITING if writes else "BEGIN")
