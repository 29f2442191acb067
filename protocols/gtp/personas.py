"""GTP commands about how the engine plays: its persona, and why it chose its last move."""

from __future__ import annotations

from dataclasses import replace

from engine.records import SettingError
from protocols.gtp.arguments import expect
from protocols.gtp.codec import Command, GtpError
from protocols.gtp.context import Context, Handler
from protocols.personas import described, persona_named


def persona(context: Context, command: Command) -> str:
    """The persona in force; with an argument, plays by that one from now on."""
    settings = context.session.settings
    if not command.arguments:
        return settings.persona.name
    expect(command.arguments, 1, "one argument", command.name)
    try:
        wanted = persona_named(command.arguments[0], context.game)
    except SettingError as error:
        raise GtpError(str(error)) from error
    context.session.change_settings(replace(settings, persona=wanted))
    return ""


def personas(context: Context, command: Command) -> str:
    """The personas of this game, one a line."""
    expect(command.arguments, 0, "no arguments", command.name)
    return "\n".join(described(context.game))


def explain(context: Context, command: Command) -> str:
    """Why the engine chose what it chose last in this game."""
    expect(command.arguments, 0, "no arguments", command.name)
    choice = context.session.last_choice
    if choice is None:
        raise GtpError("no move was chosen in this game")
    return choice.reason


COMMANDS: dict[str, Handler] = {
    "sparring-persona": persona,
    "sparring-personas": personas,
    "sparring-explain": explain,
}
