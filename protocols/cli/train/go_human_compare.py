"""The command `sparring train go-human-compare`: policies of human moves in Go, by rank."""

from __future__ import annotations

import argparse
from pathlib import Path

from engine.errors import SettingError
from engine.training.compare_go_human import HumanComparisonSettings, compare_go_human
from protocols.cli.options import Say
from protocols.cli.train.machine_options import add_machine_options


def configure(parser: argparse.ArgumentParser) -> None:
    """Adds the options of `sparring train go-human-compare` to `parser`."""
    usual = HumanComparisonSettings
    add = parser.add_argument
    add("networks", type=Path, nargs="+", metavar="NETWORK", help="the others against the first")
    add(
        "--games",
        type=Path,
        nargs="+",
        required=True,
        metavar="PATH",
        help="Tygem zips, KGS tar.gz, or folders of them, as for the training",
    )
    add("--held-out", type=Path, metavar="FILE", help="a Tygem zip for validation alone")
    add(
        "--cache",
        type=Path,
        required=True,
        metavar="FILE",
        help="the games read, such as games.npz of the training; written if they are others",
    )
    add("--moves", type=int, default=usual.moves, help="of each group; default: %(default)s")
    add(
        "--games-a-rank",
        type=int,
        default=usual.games_a_rank,
        help="for the estimates of ranks; 0: none; default: %(default)s",
    )
    add_machine_options(parser)


def run(options: argparse.Namespace, say: Say) -> int:
    """Compares and reports; returns 0. Raises SettingError for a number out of range."""
    for name, least in (("moves", 1), ("threads", 1), ("games_a_rank", 0)):
        if getattr(options, name) < least:
            flag = name.replace("_", "-")
            raise SettingError(f"--{flag} {getattr(options, name)}: {least} or more")
    compare_go_human(
        HumanComparisonSettings(
            networks=tuple(options.networks),
            games=tuple(options.games),
            cache=options.cache,
            held_out=options.held_out,
            moves=options.moves,
            games_a_rank=options.games_a_rank,
            device=options.device,
            threads=options.threads,
        ),
        say,
    )
    return 0
