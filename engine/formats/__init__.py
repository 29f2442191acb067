"""File formats of game records and positions: SGF, GGF, WTHOR, transcripts, solver files."""
