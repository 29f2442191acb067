"""Tables of move likelihood and results, learned from a ladder's games."""
