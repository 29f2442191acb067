"""Playing strength: one module for each way to weaken play, as values and pure functions."""
