"""The subcommand `sparring train`: the table of trainings, each with its own options.

Each training has a name and a module; --output is the folder of its metrics. A training's module
offers `configure(parser)` and `run(options, say)`, as a subcommand does.
"""

from __future__ import annotations

import argparse
from importlib import import_module
from typing import NamedTuple

from engine.errors import SettingError, UsageError
from engine.training.curves import draw_if_possible
from engine.training.output_folder import check_folder
from protocols.cli.options import Say


class TrainingCommand(NamedTuple):
    """One row of the table."""

    help: str
    module: str
    results: tuple[str, ...] = ()  # result files; a later run replaces them


SELF_PLAY = "protocols.cli.train.self_play"
GO_RESULTS = ("go.safetensors", "go-human.safetensors")

TRAININGS: dict[str, TrainingCommand] = {
    "connect4": TrainingCommand(
        "a network for Connect4, by self-play", SELF_PLAY, ("connect4.safetensors",)
    ),
    "othello6": TrainingCommand(
        "a network for Othello on 6x6, by self-play", SELF_PLAY, ("othello6.safetensors",)
    ),
    "othello8": TrainingCommand(
        "a network for Othello on 8x8, by self-play", SELF_PLAY, ("othello8.safetensors",)
    ),
    "darkchess": TrainingCommand(
        "a network for dark chess on 4x8, by self-play", SELF_PLAY, ("darkchess.safetensors",)
    ),
    "go": TrainingCommand(
        "a network for Go, from another's judgement", "protocols.cli.train.go", GO_RESULTS
    ),
    "go-self-play": TrainingCommand(
        "a network for Go from another one on, by self-play, with a style if wanted",
        "protocols.cli.train.go_self_play",
        ("go-self-play.safetensors",),
    ),
    "go-human": TrainingCommand(
        "a human's moves in Go, from records", "protocols.cli.train.go_human", GO_RESULTS
    ),
    "go-compare": TrainingCommand(
        "nothing, but compare networks for Go with a teacher", "protocols.cli.train.go_compare"
    ),
    "go-human-compare": TrainingCommand(
        "nothing, but compare policies of human moves in Go by rank",
        "protocols.cli.train.go_human_compare",
    ),
    "speed": TrainingCommand(
        "nothing, but measure how fast networks learn here", "protocols.cli.train.speed"
    ),
    "othello-dqn": TrainingCommand(
        "Liang's double DQN for Othello, by self-play",
        "protocols.cli.train.othello_dqn",
        ("othello-dqn.safetensors",),
    ),
    "othello8-human": TrainingCommand(
        "what humans play in Othello, from WTHOR's games",
        "protocols.cli.train.othello_human",
        ("othello8-human.safetensors",),
    ),
    "othello-patterns": TrainingCommand(
        "Othello's linear evaluation, from its own games",
        "protocols.cli.train.othello_patterns",
        ("othello6-patterns.npz", "othello8-patterns.npz"),
    ),
}


def configure(parser: argparse.ArgumentParser) -> None:
    """Adds the trainings, each with its options, to `parser`."""
    trainings = parser.add_subparsers(dest="training", metavar="TRAINING", required=True)
    for name, row in TRAININGS.items():
        added = trainings.add_parser(name, help=row.help, description=row.help)
        import_module(row.module).configure(added)


def run(options: argparse.Namespace, say: Say) -> int:
    """Runs the training of the options; returns 0 after its files and a picture are written.

    Raises UsageError, before the work, if the folder holds other metrics than a run's, or a network
    without a run.
    """
    row = TRAININGS[options.training]
    try:
        if "output" in options:
            check_folder(options.output, row.results)
        code: int = import_module(row.module).run(options, say)
    except SettingError as error:
        raise UsageError(str(error)) from error
    # Without training there is no folder.
    if "output" in options and (picture := draw_if_possible(options.output)):
        say(f"drew {picture}")
    return code
