"""The GTP command of chess: the start of a game from a position."""

from __future__ import annotations

from engine.games.chess_game import new_position
from protocols.gtp.codec import GtpCommand, GtpError, quoted
from protocols.gtp.context import Context, Handler

VARIANTS = {"chess": False, "chess960": True}  # whether castling is that of Chess960


def start(context: Context, command: GtpCommand) -> str:
    """Begins a game of `chess` or `chess960` from a position in FEN; none: the usual start."""
    name, _, fen = command.text.partition(" ")
    if name.lower() not in VARIANTS:
        names = " or ".join(VARIANTS)
        raise GtpError(f"Expected {names}, and a FEN, but got {quoted(command.text)}")
    usual = new_position()  # raises SettingError where python-chess is absent
    try:
        position = type(usual)(fen or usual.fen, chess960=VARIANTS[name.lower()])
    except ValueError as error:
        raise GtpError(str(error)) from error
    context.session.follow(position, ())
    return ""


COMMANDS: dict[str, Handler] = {"sparring-start": start}
