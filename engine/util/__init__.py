"""Helpers without knowledge of games."""
