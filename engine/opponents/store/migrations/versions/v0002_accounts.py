"""Accounts on servers: shown names, ratings with the evidence of our games, linked accounts."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None


def _account(column: str) -> sa.Column[int]:
    key = sa.ForeignKey("opponents.id", ondelete="CASCADE")
    return sa.Column(column, sa.Integer, key, nullable=False)


def upgrade() -> None:
    """Adds the columns and the table of links."""
    op.add_column(
        "opponents", sa.Column("alias", sa.String(200), nullable=False, server_default="")
    )
    op.add_column("strengths", sa.Column("rating", sa.JSON))
    op.add_column("strengths", sa.Column("alone", sa.Double))
    op.add_column("strengths", sa.Column("alone_deviation", sa.Double))
    op.create_table(
        "links",
        sa.Column("id", sa.Integer, primary_key=True),
        _account("opponent_id"),
        _account("linked_to"),
        sa.Column("since", sa.DateTime(timezone=True), nullable=False),
        sa.Column("joined", sa.JSON, nullable=False),
        sa.UniqueConstraint("opponent_id", name="links_by_opponent"),
    )


def downgrade() -> None:
    """Drops the columns and the links."""
    op.drop_table("links")
    for table, column in (
        ("strengths", "alone_deviation"),
        ("strengths", "alone"),
        ("strengths", "rating"),
        ("opponents", "alias"),
    ):
        op.drop_column(table, column)
