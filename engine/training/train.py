"""The subcommand `sparring train COURSE`: what can be learned, each with its own options.

Knows the names alone, and that a course writes its metrics to the folder --output. The module of a
course offers `configure(parser)` and `run(options, say)`, as a subcommand does.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable
from importlib import import_module
from typing import NamedTuple

from engine.training.curves import draw_if_possible
from engine.training.metrics import read_metrics

Say = Callable[[str], None]


class Course(NamedTuple):
    """One row of the table."""

    help: str
    module: str


ALPHAZERO = "engine.training.alphazero.course"

COURSES: dict[str, Course] = {
    "connect4": Course("a network for Connect4, by self-play", ALPHAZERO),
    "othello6": Course("a network for Othello on 6x6, by self-play", ALPHAZERO),
    "othello8": Course("a network for Othello on 8x8, by self-play", ALPHAZERO),
    "go": Course("a network for Go, from another's judgement", "engine.training.train_go"),
    "go-self-play": Course(
        "a network for Go from another one on, by self-play, with a style if wanted",
        "engine.training.train_go_self_play",
    ),
    "go-human": Course("a human's moves in Go, from records", "engine.training.train_go_human"),
    "speed": Course(
        "nothing, but measure how fast networks learn here", "engine.training.train_speed"
    ),
    "othello-dqn": Course(
        "Liang's double DQN for Othello, by self-play", "engine.training.train_othello_dqn"
    ),
    "othello8-human": Course(
        "what humans play in Othello, from WTHOR's games", "engine.training.imitation.course"
    ),
    "othello-patterns": Course(
        "Othello's linear evaluation, from its own games", "engine.training.train_othello_patterns"
    ),
}


def configure(parser: argparse.ArgumentParser) -> None:
    """Adds the courses, each with its options, to `parser`."""
    courses = parser.add_subparsers(dest="course", metavar="COURSE", required=True)
    for name, course in COURSES.items():
        added = courses.add_parser(name, help=course.help, description=course.help)
        import_module(course.module).configure(added)


def run(options: argparse.Namespace, say: Say) -> int:
    """Takes the course that the options name; 0 when its files are written, a picture with them.

    Raises SettingError, before the work, where the folder holds other metrics than a run's.
    """
    if "output" in options:
        read_metrics(options.output)
    code: int = import_module(COURSES[options.course].module).run(options, say)
    # Where nothing is learned, there is no folder.
    if "output" in options and (picture := draw_if_possible(options.output)):
        say(f"drew {picture}")
    return code
