"""Options for a network and its backend, of commands without a configuration file."""

from __future__ import annotations

import argparse

from protocols.cli.settings import ROWS


def add_network_options(parser: argparse.ArgumentParser) -> None:
    """Adds --network, --backend and --precision to `parser`."""
    group = parser.add_argument_group("network")
    for name in ("network", "backend", "precision"):
        ROWS[name].add_to(group, ROWS[name].usual)


def add_human_option(parser: argparse.ArgumentParser) -> None:
    """Adds --human-network, with KataGo's spelling of it."""
    ROWS["human_network"].add_to(parser)
