"""UCI, the Universal Chess Interface."""

from protocols.uci.engine import COMMANDS, UciEngine

__all__ = ["COMMANDS", "UciEngine"]
