"""The subcommand `sparring train`: the courses of engine.training."""

from __future__ import annotations

import argparse

from engine.errors import SettingError, UsageError
from engine.training import train
from protocols.cli.options import Say


def configure(parser: argparse.ArgumentParser) -> None:
    """Adds the courses with their options."""
    train.configure(parser)


def run(options: argparse.Namespace, say: Say) -> int:
    """Runs the course of the options, and returns 0 when its files are written."""
    try:
        return train.run(options, say)
    except SettingError as error:
        raise UsageError(str(error)) from error
