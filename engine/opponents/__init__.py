"""The opponent: its believed strength, what its moves and results tell, what is stored."""
