"""The choice of one move, the session of one client, the pool of networks."""
