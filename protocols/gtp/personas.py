"""GTP commands about the persona, and about the reason of the last move."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from engine.personas.files import base_of
from protocols.gtp.arguments import expect
from protocols.gtp.codec import GtpCommand, GtpError
from protocols.gtp.context import Context, Handler
from protocols.persona_list import described, text_of


def persona(context: Context, command: GtpCommand) -> str:
    """Answers the present persona; with an argument, sets another one.

    Further words change its fields for this conversation: FIELD VALUE, or any FIELD=VALUE.
    """
    settings = context.session.settings
    if not command.arguments:
        return settings.persona.name
    text = persona_text(command.arguments, settings.persona.name)
    chosen = context.rights.persona(text, context.game.name)
    context.session.change_settings(replace(settings, persona=chosen))
    return ""


def persona_text(words: Sequence[str], before: str) -> str:
    """Returns the persona's text of the command's words, after the present one.

    >>> persona_text(["even", "naturalness.points", "3"], "even naturalness.visits=50")
    'even naturalness.visits=50 naturalness.points=3'
    """
    if len(words) == 1 or "=" in words[1]:
        return " ".join(words)
    name, field, *value = words
    if not value:
        raise GtpError(f"no value for {field!r}: NAME FIELD VALUE")
    base = before if base_of(before) == name else name
    return f"{base} {field}={' '.join(value)}"


def personas(context: Context, command: GtpCommand) -> str:
    """Answers the personas of this game, one a line; with a name, the persona's file."""
    if not command.arguments:
        return "\n".join(described(context.rights, context.game.name))
    expect(command.arguments, 1, "one argument", command.name)
    try:
        lines = text_of(command.arguments[0], context.rights).splitlines()
    except ValueError as error:
        raise GtpError(str(error)) from error
    return "\n".join(line for line in lines if line)  # an empty line would end the answer


def explain(context: Context, command: GtpCommand) -> str:
    """Answers the reason of the engine's last choice in this game."""
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
