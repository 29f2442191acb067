"""Making networks: samples, learning, validation."""
