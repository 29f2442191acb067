"""The subcommand `sparring personas`, and how protocols tell which personas there are."""

from __future__ import annotations

import argparse

from engine.games import GAMES
from engine.personas import PERSONAS, Persona, make_persona
from engine.records import SettingError
from protocols.cli import Say


def persona_named(text: str, game: str) -> Persona:
    """The persona that a text names, for a game of GAMES; SettingError quotes any other."""
    try:
        return make_persona(text, game)
    except ValueError as error:
        raise SettingError(str(error)) from error


def described(game: str | None = None) -> list[str]:
    """A line a persona: how it is written, and how it plays. Of one game, or of all."""
    rows = []
    for name, kind in PERSONAS.items():
        if game is not None and game not in kind.games:
            continue
        colon = ":" if kind.form and not kind.form.startswith("[") else ""
        some = game is None and set(kind.games) < set(GAMES)
        only = f" ({' and '.join(kind.games)})" if some else ""
        rows.append((f"{name}{colon}{kind.form}", kind.about + only))
    width = max(len(form) for form, _ in rows)
    return [f"{form:<{width}}  {about}" for form, about in rows]


def configure(_parser: argparse.ArgumentParser) -> None:
    """There are no options."""


def run(_options: argparse.Namespace, say: Say) -> int:
    """Lists the personas."""
    for line in described():
        say(line)
    return 0
