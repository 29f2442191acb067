"""Loading and running networks: one file a format, one file a backend."""
