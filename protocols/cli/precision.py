"""The subcommand `sparring precision`: a network's answers in reduced precision against fp32."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from pathlib import Path

from engine.errors import SettingError, UsageError
from engine.networks.architecture import NetworkFileError
from engine.networks.compare import compare_file
from engine.networks.runtime import BackendError
from engine.play.networks import bundled_network


def configure(_parser: argparse.ArgumentParser) -> None:
    """Adds no option of its own."""


def run(options: argparse.Namespace, say: Callable[[str], None]) -> int:
    """Prints the differences, a row for each board size."""
    try:
        path = Path(options.network) if options.network else bundled_network()
        report = compare_file(path, backend=options.backend, precision=options.precision)
    except (NetworkFileError, BackendError, SettingError) as error:
        raise UsageError(str(error)) from error
    for line in report.splitlines():
        say(line)
    return 0
