"""The arguments of every subcommand as plain values, read off the table and the parsers."""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum
from importlib import import_module
from typing import cast

from engine.agents import AGENTS
from engine.games.table import GAMES
from engine.personas import PERSONAS, files
from protocols.cli.main import SubcommandModule, parser_of
from protocols.cli.subcommands import SUBCOMMANDS

BOARDS = ("go9", "go13", "go19", "othello6", "othello8", "othello10", "connect4")


class Kind(Enum):
    """The kind of an argument's value."""

    FLAG = "flag"  # no value
    TEXT = "text"  # nothing to complete
    WORDS = "words"
    FILE = "file"
    FOLDER = "folder"
    PERSONA = "persona"


@dataclass(frozen=True)
class Argument:
    """One option, or one positional argument."""

    option: str  # "--network"; empty: a positional argument
    help: str
    kind: Kind
    words: tuple[str, ...] = ()  # the words of Kind.WORDS


@dataclass(frozen=True)
class Command:
    """One subcommand."""

    name: str  # "gtp", "lab balance", "train connect4"
    help: str
    arguments: tuple[Argument, ...] = ()

    @property
    def options(self) -> list[Argument]:
        """The arguments with a spelling of their own."""
        return [each for each in self.arguments if each.option]

    @property
    def positionals(self) -> list[Argument]:
        """The arguments by place."""
        return [each for each in self.arguments if not each.option]


# Kinds of values by the words for them in help texts, and by the names of arguments.
KINDS = {
    "FILE": Kind.FILE,
    "OUT": Kind.FILE,
    "RECORD": Kind.FILE,
    "PATH": Kind.FILE,
    "PLACE": Kind.FILE,
    "DIR": Kind.FOLDER,
    "PERSONA": Kind.PERSONA,
    "persona": Kind.PERSONA,
    "personas name": Kind.PERSONA,
    "review games": Kind.FILE,
}
WORDS = {
    "GAME": BOARDS,
    "PLAYER": tuple(AGENTS),
    "gtp game": tuple(GAMES),
    "terminal game": ("darkchess", "darkchess2x4", "einstein"),
    "ugi game": ("othello", "othello4", "othello6", "othello10", "connect4"),
    "solve game": ("othello", "connect4", "darkchess2x4"),
}


def commands() -> list[Command]:
    """Returns all subcommands; one whose modules are not installed has no arguments."""
    all_commands: list[Command] = []
    for name, row in SUBCOMMANDS.items():
        try:
            module = cast("SubcommandModule", import_module(row.module))
            parser = parser_of(name, module, plays=row.plays)
        except ModuleNotFoundError:
            all_commands.append(Command(name, row.help))
            continue
        all_commands += commands_of(parser, name, row.help)
    return all_commands


def commands_of(parser: argparse.ArgumentParser, name: str, about: str) -> Iterator[Command]:
    """Yields a parser's command, and then those of its own subcommands."""
    inner = [each for each in parser._actions if isinstance(each, argparse._SubParsersAction)]
    yield Command(name, about, tuple(arguments_of(parser, name)))
    for action in inner:
        helps = {each.dest: each.help or "" for each in action._choices_actions}
        for word, below in action.choices.items():
            yield from commands_of(below, f"{name} {word}", helps.get(word, ""))


def arguments_of(parser: argparse.ArgumentParser, command: str) -> Iterator[Argument]:
    """Yields the arguments in the help text, each option by its first long spelling."""
    for action in parser._actions:
        if action.help == argparse.SUPPRESS or isinstance(action, argparse._SubParsersAction):
            continue
        long = [text for text in action.option_strings if text.startswith("--")]
        if action.option_strings and not long:
            continue
        kind, words = kind_of(action, command)
        yield Argument(long[0] if long else "", help_of(action, parser), kind, words)


def kind_of(action: argparse.Action, command: str) -> tuple[Kind, tuple[str, ...]]:
    """Returns the kind of an argument's value, and its possible words."""
    if action.nargs == 0:
        return Kind.FLAG, ()
    if action.choices:
        return Kind.WORDS, tuple(map(str, action.choices))
    for key in (f"{command} {action.dest}", action.dest, action.metavar):
        if key in KINDS:
            return KINDS[key], ()
        if key in WORDS:
            return Kind.WORDS, WORDS[key]
    return Kind.TEXT, ()


def help_of(action: argparse.Action, parser: argparse.ArgumentParser) -> str:
    """Returns the help text of an argument in one line, its default filled in."""
    text = (action.help or "") % {**vars(action), "prog": parser.prog}
    return " ".join(text.split())


def persona_names() -> list[str]:
    """Returns the names of the bundled personas and of the strengths that need no value."""
    strengths = [
        name for name, kind in PERSONAS.items() if not kind.form or kind.form.startswith("[")
    ]
    return list(dict.fromkeys([*files.names([files.SHIPPED]), *strengths]))
