"""Game records in files: SGF, GGF, WTHOR, transcripts."""
