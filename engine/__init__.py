"""Sparring: the engine. Rules, networks, search, strength and style."""
