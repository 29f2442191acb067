"""Self-play learning, as in AlphaZero."""
