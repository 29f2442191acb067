"""The tables of the store, as SQLAlchemy's typed models. The migrations create them.

A board is a text such as "go9". Times are UTC. Deleting an opponent deletes all its rows.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any, ClassVar

from sqlalchemy import (
    JSON,
    CheckConstraint,
    DateTime,
    Dialect,
    ForeignKey,
    Index,
    String,
    Text,
    TypeDecorator,
    UniqueConstraint,
)
from sqlalchemy.orm import DeclarativeBase, Mapped, mapped_column, relationship

from engine.opponents.opponent_store import LONGEST_NAME


class Unreadable:
    """The value of an unreadable column."""

    def __repr__(self) -> str:
        """Returns the text for errors."""
        return "unreadable"


UNREADABLE = Unreadable()


class Readable(TypeDecorator[Any]):
    """A column with UNREADABLE for an unreadable value: other rows stay readable."""

    impl: Any = JSON
    cache_ok = True

    def result_processor(self, dialect: Dialect, coltype: object) -> Callable[[Any], Any] | None:
        """Returns a reader of values that never raises."""
        read = super().result_processor(dialect, coltype)
        if read is None:
            return None

        def guarded(value: object) -> object:
            try:
                return read(value)
            except (ValueError, TypeError, AttributeError, OverflowError, RecursionError):
                return UNREADABLE

        return guarded


class Json(Readable):
    """JSON values."""

    impl = JSON
    cache_ok = True


class Utc(Readable):
    """A time in UTC, also in a database without time zones."""

    impl = DateTime(timezone=True)
    cache_ok = True

    def process_result_value(self, value: datetime | None, dialect: Dialect) -> datetime | None:  # noqa: ARG002
        """Returns the time with its zone."""
        if value is None:
            return None
        return value.replace(tzinfo=UTC) if value.tzinfo is None else value.astimezone(UTC)


class Base(DeclarativeBase):
    """The base of all tables."""

    type_annotation_map: ClassVar[dict[Any, Any]] = {
        datetime: Utc(),
        dict[str, Any]: Json(),
        list[list[int]]: Json(),
        list[dict[str, Any]]: Json(),
        str: Text(),
    }


class OpponentRow(Base):
    """An opponent on a server."""

    __tablename__ = "opponents"
    __table_args__ = (UniqueConstraint("name", "server", name="opponents_by_name"),)

    id: Mapped[int] = mapped_column(primary_key=True)
    name: Mapped[str] = mapped_column(String(LONGEST_NAME))
    server: Mapped[str] = mapped_column(String(LONGEST_NAME))
    alias: Mapped[str] = mapped_column(String(LONGEST_NAME), server_default="")
    since: Mapped[datetime]

    strengths: Mapped[list[Strength]] = relationship(passive_deletes=True)
    games: Mapped[list[GameRow]] = relationship(passive_deletes=True)


class Strength(Base):
    """The strength of an opponent on one kind of board."""

    __tablename__ = "strengths"
    __table_args__ = (UniqueConstraint("opponent_id", "board", name="strengths_by_board"),)

    id: Mapped[int] = mapped_column(primary_key=True)
    opponent_id: Mapped[int] = mapped_column(ForeignKey("opponents.id", ondelete="CASCADE"))
    board: Mapped[str] = mapped_column(String(40))
    state: Mapped[dict[str, Any]]
    games: Mapped[int]  # finished ones
    mean: Mapped[float]  # Elo
    low: Mapped[float]
    high: Mapped[float]
    updated: Mapped[datetime]
    rating: Mapped[dict[str, Any] | None]  # by the server, at the first meeting
    alone: Mapped[float | None]  # Elo, mean of the belief by our games alone
    alone_deviation: Mapped[float | None]

    history: Mapped[list[Estimated]] = relationship(
        passive_deletes=True, order_by="Estimated.time, Estimated.id"
    )


class LinkRow(Base):
    """An account of a player that is known under another one."""

    __tablename__ = "links"
    __table_args__ = (UniqueConstraint("opponent_id", name="links_by_opponent"),)

    id: Mapped[int] = mapped_column(primary_key=True)
    opponent_id: Mapped[int] = mapped_column(ForeignKey("opponents.id", ondelete="CASCADE"))
    linked_to: Mapped[int] = mapped_column(ForeignKey("opponents.id", ondelete="CASCADE"))
    since: Mapped[datetime]
    joined: Mapped[list[dict[str, Any]]]  # by board, the entries before and after


class GameRow(Base):
    """A game with an opponent."""

    __tablename__ = "games"
    __table_args__ = (
        CheckConstraint("color in (0, 1)", name="games_color"),
        Index("games_by_opponent", "opponent_id", "finished"),
    )

    id: Mapped[int] = mapped_column(primary_key=True)
    opponent_id: Mapped[int] = mapped_column(ForeignKey("opponents.id", ondelete="CASCADE"))
    board: Mapped[str] = mapped_column(String(40))
    terms: Mapped[dict[str, Any]]
    setup: Mapped[list[list[int]]]  # [color, move]
    first_to_move: Mapped[int]
    persona: Mapped[str]
    color: Mapped[int]  # our color
    started: Mapped[datetime]
    finished: Mapped[datetime | None]
    result: Mapped[str]  # the result as SGF writes it
    points: Mapped[float | None]  # our points

    moves: Mapped[list[MoveRow]] = relationship(passive_deletes=True, order_by="MoveRow.number")


class MoveRow(Base):
    """One move of a game."""

    __tablename__ = "moves"
    __table_args__ = (CheckConstraint("color in (0, 1)", name="moves_color"),)

    game_id: Mapped[int] = mapped_column(
        ForeignKey("games.id", ondelete="CASCADE"), primary_key=True
    )
    number: Mapped[int] = mapped_column(
        primary_key=True, autoincrement=False
    )  # number of the move, from 0
    color: Mapped[int]
    move: Mapped[int]  # the move as an index of the policy
    reason: Mapped[str]  # the reason of our own move


class Estimated(Base):
    """An estimate of a strength at a time, one row a game."""

    __tablename__ = "estimates"
    __table_args__ = (UniqueConstraint("strength_id", "game_id", name="estimates_by_game"),)

    id: Mapped[int] = mapped_column(primary_key=True)
    strength_id: Mapped[int] = mapped_column(ForeignKey("strengths.id", ondelete="CASCADE"))
    game_id: Mapped[int | None] = mapped_column(ForeignKey("games.id", ondelete="CASCADE"))
    time: Mapped[datetime]
    mean: Mapped[float]  # Elo
    low: Mapped[float]
    high: Mapped[float]
