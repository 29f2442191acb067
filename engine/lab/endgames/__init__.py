"""Endgames played by several methods."""
