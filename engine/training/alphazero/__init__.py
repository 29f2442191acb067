"""Learning a game by playing against oneself, as AlphaZero does."""
