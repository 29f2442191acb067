"""GTP commands about the program itself: name, version, list of commands, quit."""

from __future__ import annotations

from importlib import metadata

from engine.games.table import GAMES
from engine.util.version import KATAGO_VERSION
from protocols.gtp.arguments import expect
from protocols.gtp.codec import GtpCommand, GtpError
from protocols.gtp.context import Context, Handler

KATAGO = "KataGo"  # the name expected by its GUIs


def protocol_version(_context: Context, _command: GtpCommand) -> str:
    """The version of GTP."""
    return "2"


def name(context: Context, _command: GtpCommand) -> str:
    """The program's name."""
    return KATAGO if context.as_katago else context.name


def version(context: Context, _command: GtpCommand) -> str:
    """Answers the program's version, empty if it is not installed; as KataGo, that and the network.

    Lizzie and LizzieYzy read both before they request scores and ownership.
    """
    if context.as_katago:
        return f"{KATAGO_VERSION}+{context.session.network.name}"
    try:
        return metadata.version("sparring")
    except metadata.PackageNotFoundError:
        return ""


def known_command(context: Context, command: GtpCommand) -> str:
    """Whether a command is known."""
    return "true" if command.text in context.commands else "false"


def list_commands(context: Context, _command: GtpCommand) -> str:
    """The names of all commands, one a line."""
    return "\n".join(context.commands)


def leave(context: Context, _command: GtpCommand) -> str:
    """Ends the conversation after this answer."""
    context.quitting = True
    return ""


def stop(_context: Context, _command: GtpCommand) -> str:
    """Does nothing: any line has already stopped a running analysis."""
    return ""


def thinking_seconds(context: Context, command: GtpCommand) -> str:
    """Seconds spent on moves so far."""
    expect(command.arguments, 0, "no arguments", command.name)
    return f"{context.session.thinking_seconds:.3f}"


def unknown_command(context: Context, command: GtpCommand) -> str:
    """Raises GtpError: there is no such command, or only in another game."""
    for game, table in context.tables.items():
        if command.name in table:
            theirs, ours = GAMES[game].title, context.game.kind.title
            raise GtpError(f"{command.name} is a command of {theirs}; this game is {ours}")
    raise GtpError("unknown command")


COMMANDS: dict[str, Handler] = {
    "protocol_version": protocol_version,
    "name": name,
    "version": version,
    "known_command": known_command,
    "list_commands": list_commands,
    "quit": leave,
    "stop": stop,
    "cputime": thinking_seconds,
    "gomill-cpu_time": thinking_seconds,
}
