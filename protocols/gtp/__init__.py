"""GTP version 2 with KataGo's extensions."""

from protocols.gtp.context import LineSource
from protocols.gtp.engine import COMMANDS, GtpEngine

__all__ = ["COMMANDS", "GtpEngine", "LineSource"]
