"""The client of CGOS, the Computer Go Server."""
