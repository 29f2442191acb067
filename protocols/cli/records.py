"""The subcommand `sparring records`: checks files of Othello games, and converts them.

The formats are in engine.formats.ggf, engine.formats.wthor and engine.formats.transcript.
"""

from __future__ import annotations

import argparse
from pathlib import Path

from engine.errors import RecordError, UsageError
from engine.formats.ggf import GgfGame
from engine.formats.othello_files import WRITERS, check, read, summary
from protocols.cli.options import Say


def configure(parser: argparse.ArgumentParser) -> None:
    """Adds the options of `records`."""
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    parser.epilog = (
        "Formats, by suffix: .ggf; .wtb (WTHOR; players and tournaments from .JOU and .TRN of the\n"
        "same name or called WTHOR, in the same folder); .txt (a game a line, as f5d6c3).\n"
        "Writing .wtb writes .JOU and .TRN beside it. WTHOR and .txt keep no times and evaluations."
    )
    parser.add_argument("files", nargs="+", type=Path, metavar="FILE", help="files, see below")
    parser.add_argument(
        "--write", type=Path, metavar="FILE", help="write all legal games into this file"
    )


def run(options: argparse.Namespace, say: Say) -> int:
    """Reads and checks the files, and writes the file of --write; returns 1 for an illegal game."""
    if options.write and options.write.suffix.lower() not in WRITERS:
        raise UsageError(f"no format for {options.write.name!r}: one of {', '.join(WRITERS)}")
    legal: list[GgfGame] = []
    illegal = 0
    for path in options.files:
        try:
            checked = [check(game) for game in read(path)]
        except RecordError as error:
            raise UsageError(f"{path}: {error}") from error
        legal += [each.game for each in checked if each.position is not None]
        illegal += sum(each.position is None for each in checked)
        for line in summary(path, checked):
            say(line)
    if options.write:
        try:
            WRITERS[options.write.suffix.lower()](options.write, legal)
        except RecordError as error:
            raise UsageError(f"{options.write}: {error}") from error
        say(f"{options.write}: {len(legal)} games written")
    return 1 if illegal else 0
