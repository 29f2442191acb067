"""`sparring completion`: scripts by which a shell completes the command line."""
