"""Recorded games judged move by move."""
