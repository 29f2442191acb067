"""The opponent: what is believed of its strength, what its moves and results tell, what is stored."""
