"""One setting: an option, a variable of the environment and a key of the configuration file.

The module imports little, as commands must start fast.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable
from typing import Any, NamedTuple


class SettingRow(NamedTuple):
    """One row of the table."""

    section: str  # a key of SECTIONS
    name: str  # of the option --NAME and the variable SPARRING_NAME
    commands: tuple[str, ...]  # the subcommands with this setting
    help: str
    usual: object = None  # the default; None: as `without` says
    without: str = ""  # the default in words, in place of `usual`
    metavar: str | None = None
    example: str = ""  # a value in the file, where there is no default
    read: Callable[[str], object] = str  # reads a text; raises ArgumentTypeError
    choices: tuple[str, ...] = ()
    spellings: tuple[str, ...] = ()  # further spellings of the option
    repeats: bool = False  # whether its value is a list
    is_option: bool = True  # False: the file and the environment alone have it
    is_key: bool = True  # False: the file has it not
    is_secret: bool = False  # whether its value may hold a password
    reloads: bool = False  # whether a running `serve` changes it at SIGHUP

    @property
    def key(self) -> str:
        """The key in the section of the file."""
        return self.name.removeprefix(f"{self.section}_")

    @property
    def variable(self) -> str:
        """The variable of the environment."""
        return f"SPARRING_{self.name.upper()}"

    @property
    def option(self) -> str:
        """The usual spelling of the option."""
        return "--" + self.name.replace("_", "-")

    @property
    def usual_text(self) -> str:
        """The default in words; empty without one."""
        if self.without or self.usual is None:
            return self.without
        return f"{self.usual:g}" if isinstance(self.usual, float) else str(self.usual)

    @property
    def description(self) -> str:
        """The help text with the default."""
        return f"{self.help}; default: {self.usual_text}" if self.usual_text else self.help

    def value_of(self, text: str) -> object:
        """Returns the value of a text; raises ArgumentTypeError with the reason."""
        if self.choices and text not in self.choices:
            raise argparse.ArgumentTypeError(f"{text!r} is not one of {', '.join(self.choices)}")
        return self.read(text)

    def add_to(self, parser: argparse._ActionsContainer, usual: object = None) -> None:
        """Adds the option. usual: its value where the command line sets none."""
        form: dict[str, Any] = {"choices": self.choices} if self.choices else {"type": self.read}
        parser.add_argument(
            *(self.option, *self.spellings),
            dest=self.name,
            action="append" if self.repeats else "store",
            default=usual,
            metavar=self.metavar,
            help=self.description.replace("%", "%%"),
            **form,
        )
