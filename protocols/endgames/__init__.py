"""Endgames that begin even, played out by several methods: how close they come, how naturally."""
