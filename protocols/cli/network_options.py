"""Command-line options for a network and its backend.

The module imports neither numpy nor torch, as commands must start fast.
"""

from __future__ import annotations

import argparse

from engine.util.backends import BACKENDS, PRECISIONS


def add_network_options(parser: argparse.ArgumentParser) -> None:
    """Adds --network, --backend and --precision to `parser`."""
    group = parser.add_argument_group("network")
    group.add_argument(
        "--network",
        "-model",
        metavar="FILE",
        help="a KataGo network (.bin.gz, .txt.gz) or one of ours (.safetensors); "
        "default: the bundled ones, by game and board",
    )
    group.add_argument("--backend", choices=BACKENDS, default="auto", help="default: %(default)s")
    group.add_argument(
        "--precision", choices=PRECISIONS, default="auto", help="default: %(default)s"
    )


def add_human_option(parser: argparse.ArgumentParser) -> None:
    """Adds --human-network, with KataGo's spelling of it."""
    parser.add_argument(
        "--human-network",
        "-human-model",
        "--reference",
        metavar="FILE",
        help="the network of human moves: KataGo's human network, or another one; "
        "default: the bundled ones, by game and board",
    )
