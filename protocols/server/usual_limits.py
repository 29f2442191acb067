"""The usual limits of a server. The import is light."""

IDLE_HOURS = 24.0  # of silence, then a TCP connection is closed
