"""NBoard's protocol for Othello engines."""

from protocols.nboard.engine import COMMANDS, NBoardEngine

__all__ = ["COMMANDS", "NBoardEngine"]
