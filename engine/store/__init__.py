"""Opponents and games on disk: SQLite, or any database that SQLAlchemy has a driver for."""
