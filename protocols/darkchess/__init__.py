"""The GTP dialect of dark chess tournaments: its lines and its conversation."""
