"""--override-config of `gtp`: the first settings of a conversation, by KataGo's names.

The module separates parameters from settings of the game. The caller runs the commands that set the
latter.
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
    """The first settings of a conversation."""

    settings: SessionSettings
    commands: tuple[str, ...]  # commands that set the game's settings
    warnings: tuple[str, ...]  # warnings of unused names and values

    @property
    def leaves_komi(self) -> bool:
        """Whether rules come without a komi; then their customary komi applies."""
        names = {command.split()[0] for command in self.commands}
        return "komi" not in names and any(name.startswith(RULES) for name in names)


def read(text: str, settings: SessionSettings, network: NetworkDescription) -> Overrides:
    """Applies "name=value,name=value" to these settings; errors become warnings."""
    commands: list[str] = []
    warnings: list[str] = []
    for name, value in named_values(text):
        row = treatment(name, Door.GTP)
        if isinstance(row, AtStart):
            commands.append(f"{row.command} {value}")
            continue
        try:
            changed, unused = parameters.with_changes(settings, {name: value})
            check_network(changed.search, network)
        except SettingError as error:
            warnings.append(f"--override-config: {error}")
            continue
        settings = changed
        warnings += [f"--override-config: {warning}" for warning in unused]
    commands.sort(key=lambda command: command.split()[0] != "kata-set-rules")  # before single ones
    return Overrides(settings, tuple(commands), tuple(warnings))
