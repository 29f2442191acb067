"""The subcommand `sparring lab cost`: the cost of tracking an opponent, in time a move.

engine.lab.cost measures it.
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
from engine.networks.human_policy import HumanPolicy
from engine.networks.runtime import BackendError
from engine.opponents import FallbackStore, StoreError
from engine.play.networks import described, load, networks_of
from engine.report.tables import aligned
from protocols.cli.argument_types import count
from protocols.cli.options import Say
from protocols.store_options import FILE, opener

REFUSALS = (NetworkFileError, BackendError, SettingError, StoreError, ValueError)
EPILOG = """\
Two sessions at full strength play each game. One knows no opponent. The other one judges its
opponent's moves and keeps the game in an SQLite store of its own, deleted afterwards. They search
the same positions in turn, for the same visits. "processor" is the time of all threads of this
process; other programs on the machine disturb it less than they disturb the wall clock.

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
        help="visits a move, one or more numbers; default: 400 1600")  # fmt: skip
    add("--games", type=count, default=4, metavar="N",
        help="games for each number of visits; default: %(default)s")  # fmt: skip
    add("--turns", type=count, default=60, metavar="N",
        help="most turns of a game; default: %(default)s")  # fmt: skip
    add("--seed", type=int, default=1, metavar="S", help="seed; default: %(default)s")
    add("--json", action="store_true", help="print the findings as JSON")
    add("--quiet", action="store_true", help="no progress bar")


def run(options: argparse.Namespace, say: Say) -> int:
    """Plays the games and prints the table."""
    try:
        board = Board(*board_of(options.game))
        networks = networks_of(board.game, options.network, options.backend, options.precision)
        evaluator, choice = load(networks.on(board)), networks.human_on(board)
        human = None if choice is None else HumanPolicy(load(choice))
        costs = []
        total = options.games * len(options.visits)
        with (
            TemporaryDirectory() as folder,
            tqdm(total=total, unit="game", disable=options.quiet, file=sys.stderr) as bar,
        ):
            memory = FallbackStore(opener(str(Path(folder) / FILE)))
            memory.open()
            for visits in options.visits:
                table = CostTable(
                    board, evaluator, memory, visits=visits, seed=options.seed, human=human
                )
                costs.append(cost(table, options.games, options.turns, bar.update))
            memory.close()
    except REFUSALS as error:
        raise UsageError(str(error)) from error
    if options.json:
        say(json.dumps([each.values() for each in costs]))
        return 0
    say(f"{board.name}, {described(evaluator)}")
    for line in lines(costs):
        say(line)
    return 0


def lines(costs: Sequence[MoveCost]) -> Iterator[str]:
    """Yields the table, a row for each number of visits."""
    heads = ["visits", "turns", "judged"]
    for clock in CLOCKS:
        heads += [f"{clock}, ms a turn", "knowing", "ratio"]
    rows = [heads]
    for each in costs:
        values = each.values()
        row = [str(each.visits), str(len(each.turns)), str(each.judged)]
        for clock in CLOCKS:
            seconds = values[clock]
            low, high = seconds["interval"]
            row += [
                f"{1000 * seconds['plain_seconds']:.1f}",
                f"{1000 * seconds['watching_seconds']:.1f}",
                f"{seconds['ratio']:.3f} ({low:.3f}..{high:.3f})",
            ]
        rows.append(row)
    yield from aligned(rows)
