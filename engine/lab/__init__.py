"""Measurements of strength, evenness and style."""
