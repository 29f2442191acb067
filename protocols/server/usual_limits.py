"""The usual limits of a server. The import is light."""

RETURN_MINUTES = 60.0  # after the last change of a lost conversation, for its client to come back
IDLE_HOURS = 24.0  # of silence, then a TCP connection is closed
QUERY_POSITIONS = 50_000  # of one query for analysis
