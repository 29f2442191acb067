"""Network files and evaluators: one module per file format, one per backend."""
