"""The steps by which a move is chosen."""
