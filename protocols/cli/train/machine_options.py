"""The options of the machine of a run in Go: its device and its threads. It imports torch."""

from __future__ import annotations

import argparse

from engine.networks.processor import cores
from engine.training.go.run_settings import usual_device


def add_machine_options(parser: argparse.ArgumentParser) -> None:
    """Adds the options `--device` and `--threads`."""
    parser.add_argument("--device", default=usual_device(), help="cuda or cpu")
    parser.add_argument("--threads", type=int, default=cores(), help="default: %(default)s")
