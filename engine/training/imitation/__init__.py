"""Imitation of human players from the records of their games; validation of such policies."""
