"""Opponents kept in a database."""
