"""--override-config of `gtp`: what a conversation begins with, by KataGo's names.

Knows which names are parameters and which are terms of the game, set by commands. Runs no command.
"""

from __future__ import annotations

from dataclasses import dataclass

from engine.errors import SettingError
from engine.games.evaluator import NetworkDescription
from engine.play.session_settings import SessionSettings
from protocols.gtp import parameters
from protocols.parameters import AtStart, Door, check_network, named_values, treatment

RULES = "kata-set-rule"  # commands that begin so change the rules


@dataclass(frozen=True)
class Overrides:
    """The settings that a conversation begins with."""

    settings: SessionSettings
    commands: tuple[str, ...]  # that set the terms of the game
    warnings: tuple[str, ...]  # of what is not used

    @property
    def leaves_komi(self) -> bool:
        """Whether rules are named without a komi: then the customary one goes with them."""
        names = {command.split()[0] for command in self.commands}
        return "komi" not in names and any(name.startswith(RULES) for name in names)


def read(text: str, settings: SessionSettings, network: NetworkDescription) -> Overrides:
    """Returns what "name=value,name=value" makes of these settings; nothing of it is fatal."""
    commands: list[str] = []
    warnings: list[str] = []
    for name, value in named_values(text):
        row = treatment(name, Door.GTP)
        if isinstance(row, AtStart):
            commands.append(f"{row.command} {value}")
            continue
        try:
            wanted, unused = parameters.with_changes(settings, {name: value})
            check_network(wanted.search, network)
        except SettingError as error:
            warnings.append(f"--override-config: {error}")
            continue
        settings = wanted
        warnings += [f"--override-config: {warning}" for warning in unused]
    commands.sort(key=lambda command: command.split()[0] != "kata-set-rules")  # before single ones
    return Overrides(settings, tuple(commands), tuple(warnings))
