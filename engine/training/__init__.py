"""Making networks: positions to learn from, a network that learns, how well it did."""
