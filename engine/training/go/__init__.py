"""A network for Go: what a teacher says of quick games, and what people play."""
