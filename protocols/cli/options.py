"""Shared options of the subcommands, and the type of a report's printer."""

from __future__ import annotations

import argparse
from collections.abc import Callable

Say = Callable[[str], None]  # prints one line of a report


def add_personas_option(parser: argparse.ArgumentParser) -> None:
    """Adds --personas."""
    parser.add_argument(
        "--personas",
        metavar="DIR",
        help="folder of personas, searched before `sparring/personas` in the user's "
        "configuration and the bundled ones",
    )


def add_game_settings_options(parser: argparse.ArgumentParser) -> None:
    """Adds --rules and --komi, as text for game_settings.settings_from_options."""
    group = parser.add_argument_group("Go, where the client sets nothing else")
    group.add_argument(
        "--rules",
        metavar="NAME",
        help="chinese (default; dead stones are taken off), japanese, tromp-taylor, aga and so on, "
        "or KataGo's JSON",
    )
    group.add_argument(
        "--komi", metavar="POINTS", help="default: the usual one of the rules, 7.5 for chinese"
    )


def add_store_option(parser: argparse.ArgumentParser) -> None:
    """Adds --store; the place is never printed, since it may hold a password."""
    parser.add_argument(
        "--store",
        metavar="PLACE",
        help="store of opponents: a file, an SQLAlchemy URL, or none; "
        "default: $SPARRING_STORE, else opponents.sqlite3 in the user's data folder",
    )
