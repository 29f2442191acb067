"""Linked accounts: one player under several names. The operator makes and undoes the links.

A linked account keeps its own record as it was. While the link lasts, its games teach the belief
about the account that it is linked to.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from typing import Any

from sqlalchemy import Connection, delete, insert, select
from sqlalchemy.orm import aliased

from engine.opponents.opponent_store import EloEstimate, OpponentEntry, OpponentName, StoreError
from engine.opponents.store import models
from engine.opponents.store.database import Database
from engine.opponents.store.rows import (
    FIND_OPPONENT,
    LINKS,
    STRENGTHS,
    entry_values,
    known_of,
    parameters_of,
)

Join = Callable[[OpponentEntry | None, OpponentEntry], OpponentEntry]
Part = Callable[[OpponentEntry, OpponentEntry, OpponentEntry | None], OpponentEntry]

_TO = aliased(models.OpponentRow)
READ_LINKS = (
    select(
        models.OpponentRow.name, models.OpponentRow.server, models.OpponentRow.alias,
        _TO.name.label("to_name"), _TO.server.label("to_server"), _TO.alias.label("to_alias"),
    )
    .join(models.LinkRow, models.LinkRow.opponent_id == models.OpponentRow.id)
    .join(_TO, models.LinkRow.linked_to == _TO.id)
)  # fmt: skip


class AccountLinks:
    """The links of a database. Each method raises StoreError."""

    def __init__(self, database: Database, now: Callable[[], datetime]) -> None:
        self._database = database
        self._now = now

    def all(self) -> dict[OpponentName, OpponentName]:
        """Returns the linked accounts, each with the account of its belief."""
        with self._database.reading() as session:
            return {
                OpponentName(row.name, row.server, row.alias): OpponentName(
                    row.to_name, row.to_server, row.to_alias
                )
                for row in session.execute(READ_LINKS)
            }

    def record_of(self, opponent: OpponentName) -> OpponentName:
        """Returns the account of the belief about an account: itself unless it is linked."""
        query = READ_LINKS.where(
            models.OpponentRow.name == opponent.name, models.OpponentRow.server == opponent.server
        )
        with self._database.reading() as session:
            row = session.execute(query).first()
        return opponent if row is None else OpponentName(row.to_name, row.to_server, row.to_alias)

    def link(self, opponent: OpponentName, to: OpponentName, join: Join) -> None:
        """Links an account to another one, and joins its evidence to the other's belief.

        Raises StoreError for an unknown account, and for one in another link: there are no chains.
        """
        with self._database.writing() as connection:
            own, other = _key(connection, opponent), _key(connection, to)
            if own == other:
                raise StoreError(f"{opponent} is the same account")
            linked = connection.execute(
                select(LINKS.c.opponent_id, LINKS.c.linked_to).where(
                    (LINKS.c.opponent_id.in_((own, other))) | (LINKS.c.linked_to == own)
                )
            ).first()
            if linked is not None:
                raise StoreError(f"{opponent} or {to} is linked already: undo that link first")
            joined = [
                self._join(connection, row, other, join)
                for row in connection.execute(
                    select(STRENGTHS).where(STRENGTHS.c.opponent_id == own)
                ).all()
            ]
            values = {"opponent_id": own, "linked_to": other, "since": self._now()}
            connection.execute(insert(LINKS), {**values, "joined": joined})

    def unlink(self, opponent: OpponentName, part: Part) -> OpponentName:
        """Undoes a link, and takes the evidence back from the other account; returns the other.

        Raises StoreError for an account without a link.
        """
        to = self.record_of(opponent)
        with self._database.writing() as connection:
            own = _key(connection, opponent)
            link = connection.execute(select(LINKS).where(LINKS.c.opponent_id == own)).first()
            if link is None:
                raise StoreError(f"{opponent} is not linked")
            for values in link.joined:
                self._part(connection, link.linked_to, values, part)
            connection.execute(delete(LINKS).where(LINKS.c.id == link.id))
        return to

    def _join(
        self,
        connection: Connection,
        row: Any,  # noqa: ANN401 (a row of a strength)
        other: int,
        join: Join,
    ) -> dict[str, Any]:
        """Joins one board's evidence; returns the states before and after, for unlink."""
        present = connection.execute(_strength(other, row.board)).first()
        before = None if present is None else known_of(present)
        after = join(before, known_of(row))
        self._write(connection, other, row.board, after)
        return {
            "board": row.board,
            "before": None if before is None else _plain(before),
            "after": _plain(after),
        }

    def _part(
        self,
        connection: Connection,
        other: int,
        values: dict[str, Any],
        part: Part,
    ) -> None:
        """Takes one board's evidence back."""
        present = connection.execute(_strength(other, values["board"])).first()
        if present is None:
            return
        now, after = known_of(present), _entry(values["after"])
        before = None if values["before"] is None else _entry(values["before"])
        if before is None and now.state == after.state:
            connection.execute(delete(STRENGTHS).where(STRENGTHS.c.id == present.id))
        else:
            self._write(connection, other, values["board"], part(now, after, before))

    def _write(
        self, connection: Connection, opponent: int, board: str, entry: OpponentEntry
    ) -> None:
        values = {**entry_values(entry), "updated": self._now()}
        own = (STRENGTHS.c.opponent_id == opponent, STRENGTHS.c.board == board)
        if not connection.execute(STRENGTHS.update().where(*own), values).rowcount:
            new = {"opponent_id": opponent, "board": board, **values}
            connection.execute(insert(STRENGTHS), new)


def _key(connection: Connection, opponent: OpponentName) -> int:
    key = connection.scalar(FIND_OPPONENT, parameters_of(opponent))
    if key is None:
        raise StoreError(f"nothing is remembered of {opponent}")
    return int(key)


def _strength(opponent: int, board: str) -> Any:  # noqa: ANN401 (a query)
    return select(STRENGTHS).where(STRENGTHS.c.opponent_id == opponent, STRENGTHS.c.board == board)


def _plain(entry: OpponentEntry) -> dict[str, Any]:
    estimate = entry.estimate
    numbers = [estimate.mean, estimate.low, estimate.high]
    return {"state": dict(entry.state), "games": entry.games, "estimate": numbers}


def _entry(values: dict[str, Any]) -> OpponentEntry:
    return OpponentEntry(values["state"], values["games"], EloEstimate(*values["estimate"]))
