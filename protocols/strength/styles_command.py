"""The subcommand `sparring styles`: what a persona's styles come to in openings with itself.

Does not know how that is measured (protocols.strength.styles).
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import cache

from tqdm import tqdm

from engine.games import Board
from engine.networks.architecture import NetworkFileError
from engine.networks.runtime import BackendError
from engine.records import SettingError
from engine.style.measures import told
from engine.style.tendencies import TENDENCIES
from protocols.cli import Say, UsageError
from protocols.holding import described, load, networks_of
from protocols.match.numbers import count
from protocols.match.start import NAMES, board_of
from protocols.strength.columns import aligned
from protocols.strength.styles import NORMAL, SHOWINGS, Found, measure, opening_moves, openings

REFUSALS = (NetworkFileError, BackendError, SettingError, ValueError)
EPILOG = """\
Each style plays the same openings against itself: the first 20 moves on 9x9 Go, 40 on 13x13, 60 on
19x19, half of the cells in the other games, a few of them drawn at random. Shown are, with
intervals of 95% by drawing games anew,
{showings}
each the mean of a game's moves but for the first, which is their number. What a style costs in
strength, a match tells.

examples:
  sparring styles go9 --visits 50
  sparring styles go9 normal --persona full+mixed=FILE
  sparring match go9 sparring:full+style=centre sparring:full --visits 50 --games 100
"""


def configure(parser: argparse.ArgumentParser) -> None:
    """Adds the options of `sparring styles`."""
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    rows = [f"  {name:<10} {showing.about}," for name, showing in SHOWINGS.items()]
    parser.epilog = EPILOG.format(showings="\n".join(rows))
    add = parser.add_argument
    add("game", metavar="GAME", help=NAMES)
    names = ", ".join([NORMAL, *TENDENCIES])
    add("styles", nargs="*", metavar="STYLE",
        help=f"of {names}; with a force: centre:2; default: all")  # fmt: skip
    add("--persona", default="full", metavar="TEXT",
        help="that has the styles; default: %(default)s")  # fmt: skip
    add("--openings", type=count, default=20, metavar="N", help="default: %(default)s")
    add("--visits", type=count, default=100, metavar="N", help="a move; default: %(default)s")
    add("--seed", type=int, default=1, metavar="S", help="default: %(default)s")
    add("--json", action="store_true", help="print the findings as JSON")
    add("--quiet", action="store_true", help="no progress bar")


def run(options: argparse.Namespace, say: Say) -> int:
    """Plays and shows."""
    try:
        board = Board(*board_of(options.game))
        styles = options.styles or [NORMAL, *TENDENCIES]
        texts = {style: text_of(options.persona, style) for style in styles}
        beginnings = openings(board, options.openings, options.seed)
        networks = networks_of(board.game, options.network, options.backend, options.precision)
        evaluator = load(networks.on(board))
        biased_for = cache(lambda path: load(replace(networks.on(board), path=path)))
        found = []
        total = len(texts) * len(beginnings)
        with tqdm(total=total, unit="game", disable=options.quiet, file=sys.stderr) as bar:
            for style, text in texts.items():
                shown = measure(
                    board,
                    evaluator,
                    text,
                    beginnings=beginnings,
                    visits=options.visits,
                    seed=options.seed,
                    biased_for=biased_for,
                    on_game=bar.update,
                )
                found.append(Found(style, len(beginnings), shown))
    except REFUSALS as error:
        raise UsageError(str(error)) from error
    if options.json:
        say(json.dumps([each.values() for each in found]))
        return 0
    say(
        f"{board.name}, {described(evaluator)}: {len(beginnings)} openings of"
        f" {opening_moves(board)} moves, {options.visits} visits"
    )
    for line in lines(found):
        say(line)
    return 0


def text_of(persona: str, style: str) -> str:
    """The text of the persona in that style."""
    return persona if style == NORMAL else f"{persona}+style={style}"


def lines(found: Sequence[Found]) -> Iterator[str]:
    """A row of a table a style."""
    rows = [["", *SHOWINGS]]
    rows += [[each.style, *(told(each.shown[name], ".2f") for name in SHOWINGS)] for each in found]
    yield from aligned(rows)
