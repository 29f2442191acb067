"""The command `sparring train speed`: the speed of learning here."""

from __future__ import annotations

import argparse

from engine.networks.processor import cores
from engine.training.train_speed import StepSpeedSettings, measure_speed
from protocols.cli.options import Say


def configure(parser: argparse.ArgumentParser) -> None:
    """Adds the options of `sparring train speed` to `parser`."""
    usual = StepSpeedSettings
    add = parser.add_argument
    add("--blocks", type=int, default=usual.blocks, help="default: %(default)s")
    add("--channels", type=int, default=usual.channels, help="default: %(default)s")
    add("--size", type=int, default=usual.size, help="of the board; default: %(default)s")
    add("--batch", type=int, default=usual.batch, help="positions in a step; default: %(default)s")
    add(
        "--seconds",
        type=float,
        default=usual.seconds,
        help="of both together; default: %(default)s",
    )
    add("--threads", type=int, default=cores(), help="default: %(default)s")


def run(options: argparse.Namespace, say: Say) -> int:
    """Measures and reports; returns 1 without the core's convolutions."""
    settings = StepSpeedSettings(
        blocks=options.blocks,
        channels=options.channels,
        size=options.size,
        batch=options.batch,
        seconds=options.seconds,
        threads=options.threads,
    )
    return 0 if measure_speed(settings, say) else 1
