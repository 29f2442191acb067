"""`sparring serve`: the event loop that carries the bytes of all clients."""
