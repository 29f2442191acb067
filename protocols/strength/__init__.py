"""`sparring balance`, `index` and `estimate`: how well strength is adjusted, measured by games."""
