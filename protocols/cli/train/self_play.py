"""The commands `sparring train connect4`, `othello6`, `othello8` and `darkchess`, by self-play.

The options change a recipe's fields. add_options, changed and settings_of serve Go's self-play too.
"""

from __future__ import annotations

import argparse
import os
from dataclasses import replace
from typing import Any

from engine.errors import SettingError
from engine.networks.architecture import Architecture
from engine.training.alphazero.recipe import Recipe
from engine.training.alphazero.recipes import RECIPES
from engine.training.alphazero.self_play import SelfPlayRunSettings, learn_by_self_play
from protocols.cli.options import Say
from protocols.cli.train.options import add_output_folder

# Options that change the result of a run.
LASTING = (
    *("seed", "recipe", "start", "size", "beta", "line", "expected"),
    *("games", "first_games", "visits", "fast_visits", "full_share"),
    *("blocks", "channels", "learning_rate", "batch", "passes", "window"),
)


def configure(parser: argparse.ArgumentParser) -> None:
    """Adds the command's options to `parser`; the recipe has the defaults."""
    add_options(parser)
    parser.add_argument(
        "--recipe", choices=RECIPES, default="sparring", help="default: %(default)s"
    )
    parser.add_argument("--blocks", type=_positive)
    parser.add_argument("--channels", type=_positive)
    parser.add_argument("--rival", metavar="AGENT", help="opponent of regular matches")
    parser.add_argument("--rival-every", type=int, metavar="N", help="iterations; 0: never")


def add_options(parser: argparse.ArgumentParser) -> None:
    """Adds the options of all self-play commands."""
    add_output_folder(parser)
    ends = parser.add_mutually_exclusive_group()
    ends.add_argument("--iterations", type=_positive, metavar="N", help="in all")
    ends.add_argument("--minutes", type=float, help="in all; the iteration they end in is finished")
    parser.add_argument("--seed", type=int, default=1, help="default: %(default)s")
    parser.add_argument(
        "--threads", type=_positive, default=os.cpu_count() or 1, help="for the games"
    )
    parser.add_argument(
        "--ray", metavar="ADDRESS", help="of a Ray cluster for the games; local: one here"
    )
    parser.add_argument("--backend", default="auto", help="for the games; default: %(default)s")
    parser.add_argument("--games", type=_positive, metavar="N", help="an iteration")
    parser.add_argument("--first-games", type=_positive, metavar="N", help="of the first iteration")
    parser.add_argument("--visits", type=_positive, metavar="N", help="of a full search")
    parser.add_argument("--fast-visits", type=_positive, metavar="N", help="of the others")
    parser.add_argument("--full-share", type=float, metavar="SHARE", help="searched fully, 0..1")
    parser.add_argument("--learning-rate", type=float)
    parser.add_argument("--batch", type=_positive)
    parser.add_argument("--passes", type=float, help="draws of each position")
    parser.add_argument("--window", type=_positive, metavar="N", help="positions before it grows")


def run(options: argparse.Namespace, say: Say) -> int:
    """Learns the game named by the command; returns 0 after its files are written."""
    learn_by_self_play(settings_of(options, recipe_of(options)), say)
    return 0


def settings_of(
    options: argparse.Namespace, recipe: Recipe, start: Architecture | None = None
) -> SelfPlayRunSettings:
    """Returns the settings of the options; start: the first network, None for random weights."""
    return SelfPlayRunSettings(
        name=options.training,
        recipe=recipe,
        output=options.output,
        command=lambda iterations: command_of(options, iterations),
        start=start,
        iterations=options.iterations,
        minutes=options.minutes,
        seed=options.seed,
        threads=options.threads,
        ray=options.ray,
        backend=options.backend,
    )


def recipe_of(options: argparse.Namespace) -> Recipe:
    """Returns the recipe of the options, with their changes.

    Raises SettingError for a recipe without the game.
    """
    recipes = RECIPES[options.recipe]
    if options.training not in recipes:
        raise SettingError(f"the recipe {options.recipe!r} has no {options.training!r}")
    recipe = changed(recipes[options.training], options)
    rival = _chosen(options, rival="agent", rival_every="every")
    own = _chosen(options, blocks="blocks", channels="channels")
    return replace(recipe, rival=replace(recipe.rival, **rival), **own)


def changed(recipe: Recipe, options: argparse.Namespace) -> Recipe:
    """Returns the recipe with the changes of `add_options`."""
    play = _chosen(options, visits="visits", fast_visits="fast_visits", full_share="full_share")
    learning = _chosen(options, learning_rate="learning_rate", batch="batch", passes="passes")
    own = _chosen(options, games="games", first_games="first_games")
    first = options.window or recipe.growth.first
    return replace(
        recipe,
        play={**recipe.play, **play},
        learning=replace(recipe.learning, **learning),
        growth=replace(recipe.growth, first=first),
        **own,
    )


def command_of(options: argparse.Namespace, iterations: int) -> str:
    """Returns the command for an equal network of so many iterations."""
    words = ["sparring train", options.training, f"--iterations {iterations}"]
    lasting = {name: getattr(options, name, None) for name in LASTING}
    words += [
        f"--{name.replace('_', '-')} {value}"
        for name, value in lasting.items()
        if value is not None
    ]
    return " ".join(words)


def _chosen(options: argparse.Namespace, **fields: str) -> dict[str, Any]:
    """Returns the present options, by the names of their fields."""
    chosen = {field: getattr(options, option) for option, field in fields.items()}
    return {field: value for field, value in chosen.items() if value is not None}


def _positive(text: str) -> int:
    if not (text.isascii() and text.isdigit() and int(text) >= 1):
        raise argparse.ArgumentTypeError(f"{text!r} is not a whole number of 1 or more")
    return int(text)
