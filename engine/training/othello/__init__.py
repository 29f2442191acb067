"""Othello's patterns and double Q network."""
