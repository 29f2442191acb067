"""Games between players: this engine, agents, and other programs."""
