"""The command `sparring train go-compare`: networks of Go side by side, against a teacher."""

from __future__ import annotations

import argparse
from pathlib import Path

from engine.errors import SettingError
from engine.training.compare_go import GoComparisonSettings, compare_go
from protocols.cli.options import Say
from protocols.cli.train.machine_options import add_machine_options


def configure(parser: argparse.ArgumentParser) -> None:
    """Adds the options of `sparring train go-compare` to `parser`."""
    usual = GoComparisonSettings
    add = parser.add_argument
    add("networks", type=Path, nargs="+", metavar="NETWORK", help="the first plays the quick games")
    add("--teacher", type=Path, required=True, metavar="FILE", help="the judge")
    add("--held-out", type=Path, metavar="FILE", help="human games for validation alone")
    add(
        "--samples",
        type=Path,
        metavar="FILE",
        help="judged positions, written if the file does not exist",
    )
    add(
        "--exam-rows", type=int, default=usual.positions, help="of each board; default: %(default)s"
    )
    add_machine_options(parser)


def run(options: argparse.Namespace, say: Say) -> int:
    """Compares and reports; returns 0. Raises SettingError for a number out of range."""
    for name in ("exam_rows", "threads"):
        if getattr(options, name) <= 0:
            raise SettingError(f"--{name.replace('_', '-')} {getattr(options, name)}: more than 0")
    compare_go(
        GoComparisonSettings(
            networks=tuple(options.networks),
            teacher=options.teacher,
            held_out=options.held_out,
            samples=options.samples,
            positions=options.exam_rows,
            device=options.device,
            threads=options.threads,
        ),
        say,
    )
    return 0
