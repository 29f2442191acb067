"""The subcommand `sparring version`: prints the version of the installed package."""

from __future__ import annotations

import argparse
from collections.abc import Callable

from engine.util.version import version_text


def configure(_parser: argparse.ArgumentParser) -> None:
    """Adds no option."""


def run(_options: argparse.Namespace, say: Callable[[str], None]) -> int:
    """Prints the version."""
    say(version_text())
    return 0
