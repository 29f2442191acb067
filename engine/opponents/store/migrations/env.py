"""The environment of alembic's steps: a connection of the caller, in its open transaction."""

from __future__ import annotations

from alembic import context

from engine.opponents.store.models import Base

context.configure(connection=context.config.attributes["connection"], target_metadata=Base.metadata)
with context.begin_transaction():
    context.run_migrations()
