"""The subcommand `sparring curves`: pictures of training runs, several on the same axes.

engine.training.curves draws them.
"""

from __future__ import annotations

import argparse
from pathlib import Path

from engine.errors import UsageError
from engine.training.curves import PICTURE, draw
from protocols.cli.options import Say


def configure(parser: argparse.ArgumentParser) -> None:
    """Adds the options of `sparring curves`."""
    parser.add_argument(
        "folders", type=Path, nargs="+", metavar="DIR", help="folder of a run of `sparring train`"
    )
    parser.add_argument(
        "--output",
        type=Path,
        default=Path(PICTURE),
        metavar="FILE",
        help="picture; default: %(default)s",
    )
    parser.add_argument(
        "--by",
        default="step",
        metavar="NAME",
        help="horizontal axis: step, games, positions, seconds ...; default: %(default)s",
    )


def run(options: argparse.Namespace, say: Say) -> int:
    """Writes the picture; returns 0."""
    if not options.output.parent.is_dir():
        raise UsageError(f"no folder {str(options.output.parent)!r} for {options.output.name!r}")
    try:
        draw(options.folders, options.output, options.by)
    except ValueError as error:  # of the metrics; of matplotlib for an unknown kind of file
        raise UsageError(str(error)) from error
    say(f"wrote {options.output}")
    return 0
