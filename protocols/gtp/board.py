"""GTP commands to set up the board and play moves."""

from __future__ import annotations

from engine.errors import SettingError
from protocols.gtp.arguments import expect, integer_or_none
from protocols.gtp.codec import GtpCommand, GtpError, quoted
from protocols.gtp.context import Context, Handler


def boardsize(context: Context, command: GtpCommand) -> str:
    """Begins a game on a board of N, `W H` or `W:H`; N alone is as wide, and as high as usual."""
    words = command.text.replace(":", " ").split()
    sizes = [size for word in words if (size := integer_or_none(word)) is not None]
    if len(sizes) != len(words) or len(sizes) not in {1, 2}:
        raise GtpError(
            f"Expected int argument for {command.name} or pair of ints "
            f"but got {quoted(command.text)}"
        )
    session, kind = context.session, context.game.kind
    width, height = sizes[0], sizes[1] if len(sizes) == 2 else kind.usual_height(sizes[0])
    try:
        session.start_over((width, height))
    except SettingError:  # no network for it
        raise
    except ValueError as error:
        raise GtpError("unacceptable size") from error
    session.warm_up()
    return ""


def clear_board(context: Context, _command: GtpCommand) -> str:
    """Begins a new game."""
    context.session.start_over()
    return ""


def play(context: Context, command: GtpCommand) -> str:
    """Plays a move of either color, or records a resignation."""
    expect(command.arguments, 2, "two arguments", command.name)
    who = context.color(command.arguments[0])
    word = command.arguments[1].lower()
    if word == "resign":
        context.session.resign(who)
    elif word != "pass" or not context.game.is_final:  # see thinking.AFTER_THE_END
        context.session.play(who, context.vertex(command.arguments[1]))
    return ""


def undo(context: Context, _command: GtpCommand) -> str:
    """Takes one move back."""
    context.session.undo()
    return ""


def undo_several(context: Context, command: GtpCommand) -> str:
    """Takes back so many moves, one by default: all of them or none."""
    number = integer_or_none(command.text or "1")
    if number is None or number < 0:
        raise GtpError(f"Expected a number of moves but got {quoted(command.text)}")
    context.session.undo(number)
    return ""


def set_position(context: Context, command: GtpCommand) -> str:
    """Begins a game from these stones, Black to move; none: the usual start."""
    context.session.set_up(stones(context, command))
    return ""


def stones(context: Context, command: GtpCommand) -> list[tuple[int, int]]:
    """Returns the (color, move)s of pairs of color and vertex."""
    words = command.arguments
    expected = (
        f"Expected a space-separated sequence of <COLOR> <VERTEX> pairs "
        f"but got {quoted(command.text)}"
    )
    if len(words) % 2:
        raise GtpError(expected)
    pairs = []
    for who, where in zip(words[::2], words[1::2], strict=True):
        if context.color_or_none(who) is None or where.lower() == "pass":
            raise GtpError(expected)
        pairs.append((context.color(who), context.cell(where)))
    if len({move for _, move in pairs}) < len(pairs):
        raise GtpError("Illegal stone placements - overlapping stones?")
    return pairs


COMMANDS: dict[str, Handler] = {
    "boardsize": boardsize,
    "rectangular_boardsize": boardsize,
    "clear_board": clear_board,
    "set_position": set_position,
    "play": play,
    "undo": undo,
    "gg-undo": undo_several,
}
