"""The list of all opponents on all their boards."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from datetime import UTC, datetime
from typing import Any

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from engine.opponents.opponent_store import OpponentEntry, OpponentSummary
from engine.opponents.store import models
from engine.opponents.store.rows import board_of, name_of

LONG_AGO = datetime.min.replace(tzinfo=UTC)  # the time for an unreadable one

Readable = Callable[[Callable[[Any], Any], Sequence[Any]], Iterator[Any]]


def summaries(
    session: Session, readable: Readable, known_in: Callable[[object], OpponentEntry | None]
) -> tuple[OpponentSummary, ...]:
    """Returns all opponents on all their boards, latest game first.

    readable: yields the values of rows without broken ones. known_in: the entry of a row.
    """
    rows: list[OpponentSummary] = []
    latest = select(models.GameRow.opponent_id, func.max(models.GameRow.started))
    met = {row[0]: row[1] for row in session.execute(latest.group_by(models.GameRow.opponent_id))}
    for row in session.scalars(select(models.OpponentRow)):
        for name in readable(name_of, [row]):
            times = [met.get(row.id), row.since]
            last = max((at for at in times if isinstance(at, datetime)), default=LONG_AGO)
            rows += [
                OpponentSummary(name, board.name, known, max(last, strength.updated))
                for strength in row.strengths
                for board in readable(board_of, [strength.board])
                if (known := known_in(strength)) is not None
            ] or [OpponentSummary(name, "", None, last)]
    return tuple(sorted(rows, key=lambda each: each.last, reverse=True))
