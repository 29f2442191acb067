"""The usual limits of a pool of networks. The import is light."""

SESSIONS = 64  # at once
MEMORY_SHARE = 0.25  # of the machine's memory, for networks and their caches
