"""The options of Go alone: their defaults, and their refusal for other games."""

from __future__ import annotations

import argparse

from engine.errors import SettingError, UsageError
from engine.games.rules import RULE_SETS, USUAL_KOMI, USUAL_RULES, checked_komi
from engine.games.table import GAMES

USUAL = {"rules": USUAL_RULES, "komi": USUAL_KOMI, "handicap": 0, "referee": None}


def add_rules_option(parser: argparse._ActionsContainer) -> None:
    """Adds --rules."""
    parser.add_argument("--rules", choices=sorted(RULE_SETS), metavar="NAME",
        help=f"rules of Go, as chinese or japanese; default: {USUAL_RULES}")  # fmt: skip


def add_komi_option(parser: argparse._ActionsContainer) -> None:
    """Adds --komi."""
    parser.add_argument("--komi", type=komi, help=f"points, of Go; default: {USUAL_KOMI}")


def settle(options: argparse.Namespace, game: str) -> None:
    """Sets the options of Go to their defaults, unless the command line sets them.

    Raises UsageError if it sets one for another game.
    """
    for name, usual in USUAL.items():
        if getattr(options, name, None) is None:
            setattr(options, name, usual)
        elif game != "go" and getattr(options, name) != usual:
            raise UsageError(f"--{name} is an option of Go, not of {GAMES[game].title}")


def komi(text: str) -> float:
    """Returns the komi of an option's text; raises ArgumentTypeError with the text."""
    try:
        return checked_komi(float(text))
    except SettingError as error:
        raise argparse.ArgumentTypeError(str(error)) from error
    except ValueError as error:
        raise argparse.ArgumentTypeError(f"{text!r} is no komi") from error
