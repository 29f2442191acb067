"""The usual limits of a pool of networks. The import is light."""

SESSIONS = 64  # at once
