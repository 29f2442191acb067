"""The subcommand `sparring curves`: pictures of training runs, several on the same axes.

Knows the options; what is drawn is engine.training.curves' choice.
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
        "folders", type=Path, nargs="+", metavar="DIR", help="what a run of `sparring train` wrote"
    )
    parser.add_argument(
        "--output", type=Path, default=Path(PICTURE), metavar="FILE", help="default: %(default)s"
    )
    parser.add_argument(
        "--by",
        default="step",
        metavar="NAME",
        help="what runs to the right: step, games, positions, seconds ...; default: %(default)s",
    )


def run(options: argparse.Namespace, say: Say) -> int:
    """Writes the picture; 0 when it is there."""
    if not options.output.parent.is_dir():
        raise UsageError(f"no folder {str(options.output.parent)!r} for {options.output.name!r}")
    try:
        draw(options.folders, options.output, options.by)
    except ValueError as error:  # of the metrics, and of matplotlib where it cannot write the kind
        raise UsageError(str(error)) from error
    say(f"wrote {options.output}")
    return 0
