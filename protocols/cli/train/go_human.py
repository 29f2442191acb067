"""The command `sparring train go-human`: a policy from human games alone, without a teacher.

The same run as `sparring train go`, with all its options but the teacher's. The network's value and
score heads learn nothing here and mean nothing.
"""

from __future__ import annotations

import argparse
from pathlib import Path

from engine.training.train_go import GoRunSettings, learn_go
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
    add_options(parser)
    parser.set_defaults(
        teacher=None,
        player=None,
        human_share=1.0,
        turns=1,
        chapter_cells=0,
        uses=GoRunSettings.uses,
    )


def run(options: argparse.Namespace, say: Say) -> int:
    """Learns from human games by the options; returns 0 after the files are written."""
    learn_go(settings_of(options), say)
    return 0
