"""Text protocols: codecs without I/O, and the stdio, socket and WebSocket ends that carry them."""
