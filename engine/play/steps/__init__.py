"""The steps of choosing a move."""
