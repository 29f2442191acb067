"""The command `sparring train othello-patterns`: Othello's linear evaluation, by self-play."""

from __future__ import annotations

import argparse
from pathlib import Path

from engine.training.othello.othello_patterns import PatternSettings
from engine.training.train_othello_patterns import SIZES, PatternRunSettings, learn_patterns
from protocols.cli.options import Say


def configure(parser: argparse.ArgumentParser) -> None:
    """Adds the options of `sparring train othello-patterns` to `parser`."""
    parser.add_argument("--size", type=int, choices=SIZES, default=8, help="default: %(default)s")
    parser.add_argument(
        "--output", type=Path, default=Path("training"), metavar="DIR", help="default: %(default)s"
    )
    parser.add_argument(
        "--rounds", type=int, default=PatternRunSettings.rounds, help="default: %(default)s"
    )
    parser.add_argument(
        "--games", type=int, default=PatternSettings.games, help="a round; default: %(default)s"
    )
    parser.add_argument(
        "--depth",
        type=int,
        default=PatternSettings.depth,
        help="plies searched; default: %(default)s",
    )
    parser.add_argument(
        "--continue", dest="weights", type=Path, metavar="FILE", help="weights to begin with"
    )
    parser.add_argument(
        "--seed", type=int, default=PatternRunSettings.seed, help="default: %(default)s"
    )


def run(options: argparse.Namespace, say: Say) -> int:
    """Learns an evaluation by the options; returns 0 after its files are written."""
    settings = PatternRunSettings(
        output=options.output,
        learning=PatternSettings(size=options.size, games=options.games, depth=options.depth),
        rounds=options.rounds,
        weights=options.weights,
        seed=options.seed,
    )
    learn_patterns(settings, say)
    return 0
