"""How strong the engine plays: one module for each way to weaken it, pure functions and values."""
