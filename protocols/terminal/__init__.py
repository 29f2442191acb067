"""Games of chance against a person in a terminal."""
