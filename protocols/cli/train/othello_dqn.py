"""The command `sparring train othello-dqn`: Liang's double DQN for Othello, by self-play."""

from __future__ import annotations

import argparse

from engine.networks.double_dqn import QShape
from engine.training.othello.double_dqn import DqnSettings
from engine.training.train_othello_dqn import SIZES, DqnRunSettings, learn_dqn
from protocols.cli.options import Say
from protocols.cli.train.options import add_output_folder


def configure(parser: argparse.ArgumentParser) -> None:
    """Adds the options of `sparring train othello-dqn` to `parser`."""
    parser.add_argument("--size", type=int, choices=SIZES, default=8, help="default: %(default)s")
    add_output_folder(parser)
    parser.add_argument(
        "--rounds",
        type=int,
        default=DqnRunSettings.rounds,
        help="total, earlier ones included; default: %(default)s",
    )
    parser.add_argument(
        "--minutes", type=float, help="total, at most; default: until the last round"
    )
    parser.add_argument("--games", type=int, default=DqnSettings.games, help="default: %(default)s")
    parser.add_argument(
        "--channels", type=int, default=QShape.channels, help="default: %(default)s"
    )
    parser.add_argument("--hidden", type=int, default=QShape.hidden, help="default: %(default)s")
    parser.add_argument(
        "--exploring-rounds",
        type=int,
        default=DqnSettings.exploring_rounds,
        help="until moves are hardly random any more; default: %(default)s",
    )
    parser.add_argument(
        "--rival-every",
        type=int,
        default=DqnRunSettings.rival_every,
        metavar="N",
        help="rounds between games against rivals, 0: none; default: %(default)s",
    )
    parser.add_argument("--seed", type=int, default=1, help="default: %(default)s")
    parser.add_argument(
        "--threads", type=int, default=DqnRunSettings.threads, help="default: %(default)s"
    )


def run(options: argparse.Namespace, say: Say) -> int:
    """Trains the networks by the options; returns 0 after their file is written."""
    learning = DqnSettings(
        shape=QShape(options.size, options.channels, options.hidden),
        seed=options.seed,
        games=options.games,
        exploring_rounds=options.exploring_rounds,
    )
    settings = DqnRunSettings(
        output=options.output,
        learning=learning,
        rounds=options.rounds,
        minutes=options.minutes,
        rival_every=options.rival_every,
        threads=options.threads,
    )
    learn_dqn(settings, say)
    return 0
