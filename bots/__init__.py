"""Online bots: one file a server."""
