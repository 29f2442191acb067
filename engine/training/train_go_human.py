"""The command `sparring train go-human`: a policy from human games alone, without a teacher.

The same run as `sparring train go`, with all its options but the teacher's. The network's value and
score heads learn nothing here and mean nothing.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable
from pathlib import Path

from engine.training.train_go import add_options, machine_of, take

Say = Callable[[str], None]


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
    parser.set_defaults(human_share=1.0, turns=1, chapter_cells=0)


def run(options: argparse.Namespace, say: Say) -> int:
    """Learns from human games by the options; returns 0 after the files are written."""
    return take(options, say, machine_of(options.device))
