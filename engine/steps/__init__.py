"""The steps by which a move is decided: games' own, and one module for each way to weaken play."""
