"""The subcommand `sparring lab cost`: how much longer a move takes where the opponent is known.

Does not know how that is measured (engine.lab.cost).
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

from tqdm import tqdm

from engine.errors import SettingError, UsageError
from engine.games.table import Board
from engine.lab.cost import CLOCKS, CostTable, MoveCost, cost
from engine.match.game_spec import NAMES, board_of
from engine.networks.architecture import NetworkFileError
from engine.networks.runtime import BackendError
from engine.opponents import FallbackStore, StoreError
from engine.play.networks import described, load, networks_of
from engine.report.tables import aligned
from engine.util.argument_types import count
from protocols.cli.options import Say
from protocols.store_options import FILE, opener

REFUSALS = (NetworkFileError, BackendError, SettingError, StoreError, ValueError)
EPILOG = """\
One game is played by two sessions at full strength, one that knows nobody and one that judges its
opponent's moves and keeps all in a store of SQLite (of its own, deleted afterwards). They think in
turn about the same positions, for the same visits. "processor" is the time of all our threads,
which tells more than the clock on the wall where other programs run.

examples:
  sparring lab cost othello8
  sparring lab cost go9 --visits 1600 --games 2
"""


def configure(parser: argparse.ArgumentParser) -> None:
    """Adds the options of `sparring lab cost`."""
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    parser.epilog = EPILOG
    add = parser.add_argument
    add("game", metavar="GAME", help=NAMES)
    add("--visits", type=count, nargs="+", default=[400, 1600], metavar="N",
        help="a move; default: 400 1600")  # fmt: skip
    add("--games", type=count, default=4, metavar="N", help="default: %(default)s")
    add("--turns", type=count, default=60, metavar="N",
        help="of a game, at most; default: %(default)s")  # fmt: skip
    add("--seed", type=int, default=1, metavar="S", help="default: %(default)s")
    add("--json", action="store_true", help="print the findings as JSON")
    add("--quiet", action="store_true", help="no progress bar")


def run(options: argparse.Namespace, say: Say) -> int:
    """Measures and shows."""
    try:
        board = Board(*board_of(options.game))
        networks = networks_of(board.game, options.network, options.backend, options.precision)
        evaluator = load(networks.on(board))
        found = []
        total = options.games * len(options.visits)
        with (
            TemporaryDirectory() as folder,
            tqdm(total=total, unit="game", disable=options.quiet, file=sys.stderr) as bar,
        ):
            memory = FallbackStore(opener(str(Path(folder) / FILE)))
            memory.open()
            for visits in options.visits:
                table = CostTable(board, evaluator, memory, visits=visits, seed=options.seed)
                found.append(cost(table, options.games, options.turns, bar.update))
            memory.close()
    except REFUSALS as error:
        raise UsageError(str(error)) from error
    if options.json:
        say(json.dumps([each.values() for each in found]))
        return 0
    say(f"{board.name}, {described(evaluator)}")
    for line in lines(found):
        say(line)
    return 0


def lines(found: Sequence[MoveCost]) -> Iterator[str]:
    """A row of a table a number of visits."""
    heads = ["visits", "turns", "judged"]
    for clock in CLOCKS:
        heads += [f"{clock}, ms a turn", "knowing", "ratio"]
    rows = [heads]
    for each in found:
        told = each.values()
        row = [str(each.visits), str(len(each.turns)), str(each.judged)]
        for clock in CLOCKS:
            seconds = told[clock]
            low, high = seconds["interval"]
            row += [
                f"{1000 * seconds['plain_seconds']:.1f}",
                f"{1000 * seconds['watching_seconds']:.1f}",
                f"{seconds['ratio']:.3f} ({low:.3f}..{high:.3f})",
            ]
        rows.append(row)
    yield from aligned(rows)
