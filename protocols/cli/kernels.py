"""The subcommand `sparring lab kernels`: the arithmetic of networks beside the peak."""

from __future__ import annotations

import argparse
from collections.abc import Callable

from engine.lab.kernel_rates import measure_kernel_rates, report


def configure(_parser: argparse.ArgumentParser) -> None:
    """Adds no option."""


def run(_options: argparse.Namespace, say: Callable[[str], None]) -> int:
    """Prints a row for each kernel of each set of vector instructions."""
    for line in report(measure_kernel_rates()):
        say(line)
    return 0
