"""Options of several commands of `sparring train`."""

from __future__ import annotations

import argparse
from pathlib import Path


def add_output_folder(parser: argparse.ArgumentParser) -> None:
    """Adds the option `--output`, the folder of a run."""
    parser.add_argument(
        "--output",
        type=Path,
        default=Path("training"),
        metavar="DIR",
        help="a run in the folder is resumed; default: %(default)s",
    )
