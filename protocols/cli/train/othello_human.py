"""The command `sparring train othello8-human`: a network of human moves, from WTHOR's games."""

from __future__ import annotations

import argparse
from pathlib import Path

from engine.training.imitation.human_run import HumanRunSettings, learn_human_moves
from engine.training.imitation.learning import HumanTrainingSettings
from engine.training.imitation.validation import LINEAR
from protocols.cli.options import Say
from protocols.cli.train.options import add_output_folder


def configure(parser: argparse.ArgumentParser) -> None:
    """Adds the command's options to `parser`."""
    parser.add_argument(
        "--games", type=Path, required=True, metavar="DIR", help="a folder of WTHOR's .wtb files"
    )
    add_output_folder(parser)
    parser.add_argument(
        "--held-out-years",
        type=int,
        default=HumanRunSettings.held_out_years,
        metavar="N",
        help="the last years, for validation alone; default: %(default)s",
    )
    parser.add_argument(
        "--compare",
        action="append",
        default=[],
        metavar="FILE",
        help=f"another network to validate, or {LINEAR!r}; repeatable",
    )
    own = HumanTrainingSettings()
    for name, text in (
        ("batches", "of the first round; later ones have half as many"),
        ("rounds", "of the learning rate; may be raised"),
        ("batch", "positions of one"),
        ("blocks", "of the network"),
        ("channels", "of the network"),
        ("seed", "of everything random"),
    ):
        parser.add_argument(
            f"--{name}", type=int, default=getattr(own, name), help=f"{text}; default: %(default)s"
        )
    parser.add_argument(
        "--learning-rate", type=float, default=own.learning_rate, help="default: %(default)s"
    )
    parser.add_argument(
        "--threads", type=int, default=HumanRunSettings.threads, help="default: %(default)s"
    )


def run(options: argparse.Namespace, say: Say) -> int:
    """Learns from the games and validates the network; returns 0 after its files are written."""
    learning = HumanTrainingSettings(
        batches=options.batches,
        rounds=options.rounds,
        batch=options.batch,
        blocks=options.blocks,
        channels=options.channels,
        learning_rate=options.learning_rate,
        seed=options.seed,
    )
    settings = HumanRunSettings(
        games=options.games,
        output=options.output,
        learning=learning,
        held_out_years=options.held_out_years,
        compared=tuple(options.compare),
        threads=options.threads,
    )
    learn_human_moves(settings, say)
    return 0
