"""What is written at every move, by the database's driver itself: SQLAlchemy's way is much longer.

Knows how to have SQLAlchemy write a statement down once. Knows no table, and settles no conflict:
what does not go smoothly is left undone, to be done with all care.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Delete, Dialect, Engine, Insert, Update

Statement = Insert | Update | Delete
Values = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Step:
    """A statement and the values of each time that it is executed."""

    statement: Statement
    rows: Sequence[Values]


class Quick:
    """Transactions of an engine's database. Safe to use from several threads."""

    def __init__(self, engine: Engine, begin: str = "") -> None:
        """begin: what begins a transaction, where the driver does not by itself."""
        self._engine = engine
        self._begin = begin
        self._written: dict[Statement, _Written] = {}

    def done(self, steps: Sequence[Step]) -> bool:
        """Whether it was all done in one transaction, each statement having changed something.

        Else nothing was, for whatever reason.
        """
        connection = None
        try:
            connection = self._engine.raw_connection()
            cursor = connection.cursor()
            if self._begin:
                cursor.execute(self._begin)
            for step in steps:
                for row in step.rows:
                    written = self._written.get(step.statement) or self._write(step.statement, row)
                    cursor.execute(written.text, written.values(row))
                    if cursor.rowcount < 1:
                        return False
            connection.commit()
        except self._engine.dialect.loaded_dbapi.Error:
            return False
        finally:
            if connection is not None:
                connection.close()  # which takes back what was not committed
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
