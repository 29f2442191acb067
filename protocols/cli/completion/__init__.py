"""`sparring completion`: completion scripts for shells."""
