"""The subcommand `sparring train`: engine.training's courses, and their refusals told in a line."""

from __future__ import annotations

import argparse

from engine.errors import SettingError, UsageError
from engine.training import train
from protocols.cli.options import Say


def configure(parser: argparse.ArgumentParser) -> None:
    """Adds the courses, each with its options."""
    train.configure(parser)


def run(options: argparse.Namespace, say: Say) -> int:
    """Takes the course that the options name; 0 when its files are written."""
    try:
        return train.run(options, say)
    except SettingError as error:
        raise UsageError(str(error)) from error
