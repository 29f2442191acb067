"""The store's schema, step by step; alembic runs what a database lacks."""
