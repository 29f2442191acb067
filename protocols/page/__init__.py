"""The page to play on: its messages, its games and its conversation with one browser."""
