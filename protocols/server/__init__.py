"""`sparring serve`: the event loop for the bytes of all clients."""
