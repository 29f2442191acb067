"""The first schema: opponents, their strengths and estimates, games and moves."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None

TIME = sa.DateTime(timezone=True)


def _belongs_to(table: str, column: str, *, nullable: bool = False) -> sa.Column[int]:
    key = sa.ForeignKey(f"{table}.id", ondelete="CASCADE")
    return sa.Column(column, sa.Integer, key, nullable=nullable)


def _interval() -> tuple[sa.Column[float], ...]:
    return tuple(sa.Column(name, sa.Double, nullable=False) for name in ("mean", "low", "high"))


def upgrade() -> None:
    """Makes the tables."""
    op.create_table(
        "opponents",
        sa.Column("id", sa.Integer, primary_key=True),
        sa.Column("name", sa.String(200), nullable=False),
        sa.Column("server", sa.String(200), nullable=False),
        sa.Column("since", TIME, nullable=False),
        sa.UniqueConstraint("name", "server", name="opponents_by_name"),
    )
    op.create_table(
        "strengths",
        sa.Column("id", sa.Integer, primary_key=True),
        _belongs_to("opponents", "opponent_id"),
        sa.Column("board", sa.String(40), nullable=False),
        sa.Column("state", sa.JSON, nullable=False),
        sa.Column("games", sa.Integer, nullable=False),
        *_interval(),
        sa.Column("updated", TIME, nullable=False),
        sa.UniqueConstraint("opponent_id", "board", name="strengths_by_board"),
    )
    _make_games()
    op.create_table(
        "estimates",
        sa.Column("id", sa.Integer, primary_key=True),
        _belongs_to("strengths", "strength_id"),
        _belongs_to("games", "game_id", nullable=True),
        sa.Column("time", TIME, nullable=False),
        *_interval(),
        sa.UniqueConstraint("strength_id", "game_id", name="estimates_by_game"),
    )


def _make_games() -> None:
    op.create_table(
        "games",
        sa.Column("id", sa.Integer, primary_key=True),
        _belongs_to("opponents", "opponent_id"),
        sa.Column("board", sa.String(40), nullable=False),
        sa.Column("terms", sa.JSON, nullable=False),
        sa.Column("setup", sa.JSON, nullable=False),
        sa.Column("first_to_move", sa.Integer, nullable=False),
        sa.Column("persona", sa.Text, nullable=False),
        sa.Column("color", sa.Integer, nullable=False),
        sa.Column("started", TIME, nullable=False),
        sa.Column("finished", TIME),
        sa.Column("result", sa.Text, nullable=False),
        sa.Column("points", sa.Double),
        sa.CheckConstraint("color in (0, 1)", name="games_color"),
    )
    op.create_index("games_by_opponent", "games", ["opponent_id", "finished"])
    op.create_table(
        "moves",
        sa.Column(
            "game_id",
            sa.Integer,
            sa.ForeignKey("games.id", ondelete="CASCADE"),
            primary_key=True,
        ),
        sa.Column("number", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("color", sa.Integer, nullable=False),
        sa.Column("move", sa.Integer, nullable=False),
        sa.Column("reason", sa.Text, nullable=False),
        sa.CheckConstraint("color in (0, 1)", name="moves_color"),
    )


def downgrade() -> None:
    """Drops the tables and their rows."""
    for table in ("estimates", "moves", "games", "strengths", "opponents"):
        op.drop_table(table)
