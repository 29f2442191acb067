"""One module a step of the schema, in the order of their numbers."""
