"""The subcommand `sparring train`: the table of trainings, each with its own options.

Knows the names alone, and the folder --output of a training's metrics. A training's module offers
`configure(parser)` and `run(options, say)`, as a subcommand does.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Sequence
from importlib import import_module
from pathlib import Path
from typing import NamedTuple

from engine.errors import SettingError
from engine.training.common.metrics import NAME, read_metrics
from engine.training.curves import draw_if_possible

Say = Callable[[str], None]


class TrainingKind(NamedTuple):
    """One row of the table."""

    help: str
    module: str
    results: tuple[str, ...] = ()  # result files; a later run replaces them


ALPHAZERO = "engine.training.alphazero.self_play"
GO_RESULTS = ("go.safetensors", "go-human.safetensors")

TRAININGS: dict[str, TrainingKind] = {
    "connect4": TrainingKind(
        "a network for Connect4, by self-play", ALPHAZERO, ("connect4.safetensors",)
    ),
    "othello6": TrainingKind(
        "a network for Othello on 6x6, by self-play", ALPHAZERO, ("othello6.safetensors",)
    ),
    "othello8": TrainingKind(
        "a network for Othello on 8x8, by self-play", ALPHAZERO, ("othello8.safetensors",)
    ),
    "go": TrainingKind(
        "a network for Go, from another's judgement", "engine.training.train_go", GO_RESULTS
    ),
    "go-self-play": TrainingKind(
        "a network for Go from another one on, by self-play, with a style if wanted",
        "engine.training.train_go_self_play",
        ("go-self-play.safetensors",),
    ),
    "go-human": TrainingKind(
        "a human's moves in Go, from records", "engine.training.train_go_human", GO_RESULTS
    ),
    "speed": TrainingKind(
        "nothing, but measure how fast networks learn here", "engine.training.train_speed"
    ),
    "othello-dqn": TrainingKind(
        "Liang's double DQN for Othello, by self-play",
        "engine.training.train_othello_dqn",
        ("othello-dqn.safetensors",),
    ),
    "othello8-human": TrainingKind(
        "what humans play in Othello, from WTHOR's games",
        "engine.training.imitation.human_run",
        ("othello8-human.safetensors",),
    ),
    "othello-patterns": TrainingKind(
        "Othello's linear evaluation, from its own games",
        "engine.training.train_othello_patterns",
        ("othello6-patterns.npz", "othello8-patterns.npz"),
    ),
}


def configure(parser: argparse.ArgumentParser) -> None:
    """Adds the trainings, each with its options, to `parser`."""
    trainings = parser.add_subparsers(dest="training", metavar="TRAINING", required=True)
    for name, kind in TRAININGS.items():
        added = trainings.add_parser(name, help=kind.help, description=kind.help)
        import_module(kind.module).configure(added)


def run(options: argparse.Namespace, say: Say) -> int:
    """Runs the training of the options; returns 0 after its files and a picture are written.

    Raises SettingError, before the work, if the folder holds other metrics than a run's, or a
    network without a run.
    """
    kind = TRAININGS[options.training]
    if "output" in options:
        check_folder(options.output, kind.results)
    code: int = import_module(kind.module).run(options, say)
    # Without training there is no folder.
    if "output" in options and (picture := draw_if_possible(options.output)):
        say(f"drew {picture}")
    return code


def check_folder(folder: Path, results: Sequence[str]) -> None:
    """Raises SettingError if a run in the folder would replace a file from no run.

    Each run writes its metrics before its results.
    """
    if read_metrics(folder):
        return
    for path in (folder / name for name in results):
        if path.exists():
            raise SettingError(f"{path} is of no run: there is no {NAME} beside it")
