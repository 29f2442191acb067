"""Helpers that know no game."""
