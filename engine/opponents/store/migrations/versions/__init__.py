"""The steps of the schema, one module a version."""
