"""What is written at every move, by the database's driver itself: SQLAlchemy's way is much longer.

Knows how to have SQLAlchemy write a statement down once. Knows no table, and settles no conflict:
what does not go smoothly is left undone, to be done with all care.
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
    """A statement and the values of each time that it is executed."""

    statement: Statement
    rows: Sequence[Values]


class Quick:
    """One connection of an engine, kept open. Used by one thread after the other."""

    def __init__(self, engine: Engine, begin: str = "") -> None:
        """begin: what begins a transaction, where the driver does not by itself."""
        self._engine = engine
        self._begin = begin
        self._written: dict[Statement, _Written] = {}
        self._connection: PoolProxiedConnection | None = None
        self._lock = threading.Lock()

    def done(self, steps: Sequence[Step]) -> bool:
        """Whether it was all done in one transaction, each statement having changed something.

        Else nothing was, for whatever reason.
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
        """Gives the connection back, which is opened again when it is needed."""
        with self._lock:
            self._close()

    def _close(self) -> None:
        connection, self._connection = self._connection, None
        if connection is not None:
            connection.close()  # which takes back what was not committed

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
    """A statement as a driver takes it."""

    text: str
    order: Sequence[str] | None  # of the values, where the driver wants them in a row
    processors: Mapping[str, Callable[[Any], Any]]  # of values that it does not take as they are

    @classmethod
    def of(cls, statement: Statement, row: Values, dialect: Dialect) -> _Written:
        """The statement for rows that have these columns."""
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
        """The values of a row, as the driver takes them."""
        ready = dict(row)
        for name, process in self.processors.items():
            ready[name] = process(ready[name])
        return ready if self.order is None else [ready[name] for name in self.order]
