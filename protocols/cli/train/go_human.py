"""The command `sparring train go-human`: a policy from human games alone, without a teacher.

The same run as `sparring train go`, with all its options but the teacher's. Without ranks the
network's value and score heads learn nothing here and mean nothing. With --ranked the network knows
the ranks of both players and learns the games' results too; it begins as the bundled one.
"""

from __future__ import annotations

import argparse
from dataclasses import replace
from pathlib import Path

from engine.networks.bundled import human_networks
from engine.training.go.run_settings import GoRunSettings
from engine.training.train_go import learn_go
from protocols.cli.options import Say
from protocols.cli.train.go import add_options, settings_of


def configure(parser: argparse.ArgumentParser) -> None:
    """Adds the options of `sparring train go-human` to `parser`."""
    parser.add_argument(
        "--games",
        type=Path,
        nargs="+",
        required=True,
        metavar="PATH",
        help="Tygem zips, KGS tar.gz, or folders of them",
    )
    parser.add_argument(
        "--ranked",
        action="store_true",
        help="learn the moves of all ranks, with both players' ranks as an input, from the bundled "
        "network on; default: the moves of 6 dan and better",
    )
    add_options(parser)
    parser.set_defaults(
        teacher=None,
        player=None,
        doubter=None,
        human_share=1.0,
        turns=1,
        chapter_cells=0,
        uses=GoRunSettings.uses,
        makers=0,
    )


def run(options: argparse.Namespace, say: Say) -> int:
    """Learns from human games by the options; returns 0 after the files are written."""
    settings = settings_of(options)
    if options.ranked:
        begun = settings.checkpoint or human_networks("go").get(None)
        settings = replace(settings, ranked=True, checkpoint=begun)
    learn_go(settings, say)
    return 0
