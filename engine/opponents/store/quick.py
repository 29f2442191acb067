"""The writes of every move by the database's driver itself: much faster than by SQLAlchemy.

SQLAlchemy compiles each statement once. Conflicts are not resolved here: a transaction with any
failure is rolled back, and the caller repeats it by SQLAlchemy.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Delete, Dialect, Engine, Insert, PoolProxiedConnection, Update
from sqlalchemy.engine.interfaces import DBAPICursor

Statement = Insert | Update | Delete
Values = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Step:
    """A statement, and the values of each execution."""

    statement: Statement
    rows: Sequence[Values]


class Quick:
    """An open connection of an engine. Safe to use from several threads, one at a time."""

    def __init__(self, engine: Engine, begin: str = "") -> None:
        """begin: the statement that begins a transaction; empty: the driver begins it."""
        self._engine = engine
        self._begin = begin
        self._written: dict[Statement, _Written] = {}
        self._connection: PoolProxiedConnection | None = None
        self._lock = threading.Lock()

    def done(self, steps: Sequence[Step]) -> bool:
        """Executes all steps in one transaction, or none. Returns whether it did.

        An error, or an execution without a changed row, rolls all back.
        """
        with self._lock:
            try:
                if self._connection is None:
                    self._connection = self._engine.raw_connection()
                done = self._all(steps, self._connection.cursor())
            except self._engine.dialect.loaded_dbapi.Error:
                done = False
            if not done:
                self._close()
            return done

    def close(self) -> None:
        """Closes the connection; the next step opens another one."""
        with self._lock:
            self._close()

    def _close(self) -> None:
        connection, self._connection = self._connection, None
        if connection is not None:
            connection.close()  # rolls back an open transaction

    def _all(self, steps: Sequence[Step], cursor: DBAPICursor) -> bool:
        if self._begin:
            cursor.execute(self._begin)
        for step in steps:
            for row in step.rows:
                written = self._written.get(step.statement) or self._write(step.statement, row)
                cursor.execute(written.text, written.values(row))
                if cursor.rowcount < 1:
                    return False
        cursor.connection.commit()
        return True

    def _write(self, statement: Statement, row: Values) -> _Written:
        written = self._written[statement] = _Written.of(statement, row, self._engine.dialect)
        return written


@dataclass(frozen=True, slots=True)
class _Written:
    """A compiled statement for a driver."""

    text: str
    order: Sequence[str] | None  # order of positional values; None: the driver takes them by name
    processors: Mapping[str, Callable[[Any], Any]]  # conversions to the driver's types, by name

    @classmethod
    def of(cls, statement: Statement, row: Values, dialect: Dialect) -> _Written:
        """Compiles the statement for rows with these columns."""
        compiled: Any = statement.compile(dialect=dialect, column_keys=list(row))
        processors = {
            name: bound.type.dialect_impl(dialect).bind_processor(dialect)
            for name, bound in compiled.binds.items()
        }
        return cls(
            compiled.string,
            compiled.positiontup,
            {name: process for name, process in processors.items() if process is not None},
        )

    def values(self, row: Values) -> Mapping[str, Any] | Sequence[Any]:
        """Returns a row's values in the driver's types and order."""
        ready = dict(row)
        for name, process in self.processors.items():
            ready[name] = process(ready[name])
        return ready if self.order is None else [ready[name] for name in self.order]
