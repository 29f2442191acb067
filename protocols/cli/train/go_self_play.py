"""The command `sparring train go-self-play`: a network of Go improves by games against itself.

It starts from an existing network's weights. With a beta its games are decided by weighted
territory, and it comes to like the centre or the edge: Shi et al.'s offline strategies
(engine.training.go.territory). Rules and komi are the usual ones of games here.
"""

from __future__ import annotations

import argparse
from dataclasses import replace
from pathlib import Path

from engine.errors import SettingError
from engine.games.table import GAMES
from engine.networks.architecture import Architecture
from engine.training.alphazero.recipe import Recipe
from engine.training.alphazero.recipes import GO
from engine.training.alphazero.self_play import learn_by_self_play
from engine.training.go.start_network import start_network
from engine.training.go.territory import Territory, usual_middle_line
from protocols.cli.options import Say
from protocols.cli.train.self_play import add_options, changed, settings_of


def configure(parser: argparse.ArgumentParser) -> None:
    """Adds the options of `sparring train go-self-play` to `parser`."""
    add_options(parser)
    parser.add_argument(
        "--start",
        type=Path,
        metavar="FILE",
        help="the starting network; default: the bundled one",
    )
    parser.add_argument("--size", type=int, default=9, help="of the board; default: %(default)s")
    parser.add_argument(
        "--beta",
        type=float,
        default=0.0,
        help="points farther in than the middle line count 1 + beta, those nearer to the border "
        "1 - beta; default: %(default)s",
    )
    parser.add_argument(
        "--line", type=int, metavar="N", help="the middle line; default: 4, up to 10x10 3"
    )
    parser.add_argument(
        "--expected",
        type=int,
        default=1,
        metavar="N",
        help="first iterations with the start network's expectation of weighted territory, "
        "not how their games ended; default: %(default)s",
    )


def run(options: argparse.Namespace, say: Say) -> int:
    """Learns; returns 0 after the files are written."""
    settings = settings_of(options, recipe_of(options), _start(options.start))
    learn_by_self_play(settings, say)
    return 0


def recipe_of(options: argparse.Namespace) -> Recipe:
    """Returns the recipe of the options, with their changes."""
    size = options.size
    if not GAMES["go"].fits(size, size):
        raise SettingError(f"--size {size}: {GAMES['go'].sizes}")
    line = usual_middle_line(size) if options.line is None else options.line
    territory = Territory(options.beta, line, options.expected)
    return replace(
        changed(GO, options),
        width=size,
        height=size,
        territory=territory if territory.beta else None,
    )


def _start(path: Path | None) -> Architecture:
    """Returns the file's network, or the bundled one; raises SettingError for no Go network."""
    try:
        return start_network(path)
    except SettingError as error:
        raise SettingError(f"--start{':' if path is None else ''} {error}") from error
