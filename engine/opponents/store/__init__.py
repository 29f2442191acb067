"""The store of opponents in a database."""
