"""UGI, the Universal Game Interface, for Othello and Connect4."""

from protocols.ugi.engine import COMMANDS, UgiEngine

__all__ = ["COMMANDS", "UgiEngine"]
