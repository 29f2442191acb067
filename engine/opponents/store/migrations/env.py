"""What alembic runs its steps in: the connection that it was handed, in its transaction."""

from __future__ import annotations

from alembic import context

from engine.opponents.store.models import Base

context.configure(connection=context.config.attributes["connection"], target_metadata=Base.metadata)
with context.begin_transaction():
    context.run_migrations()
