"""The tree search as Python drives it, and the exact solvers."""
