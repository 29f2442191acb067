"""The versions of the database's tables."""
