"""A network's answers compared with exact ones."""
