"""The subcommand `sparring lab beliefs`: what the moves of people of known ranks tell of the rank.

engine.lab.people_beliefs measures it, engine.lab.people_games chooses the games.
"""

from __future__ import annotations

import argparse
import json
import sys

from tqdm import tqdm

from engine.errors import SettingError, UsageError
from engine.games.game_record import GameRecord
from engine.games.table import Board
from engine.lab.people_beliefs import HEADS, after_game, beliefs, rank_rows, rows
from engine.networks.human_policy import HumanPolicy
from engine.opponents import OpponentTracker, of_stranger
from engine.play.networks import load, networks_of
from engine.report.tables import aligned
from engine.search.search import Search
from engine.strength.rank_scale import scale_of
from engine.training.go.records import SIZE
from engine.values import Limit
from protocols.cli import people_options
from protocols.cli.argument_types import count
from protocols.cli.options import Say

BOARD = Board("go", SIZE, SIZE)  # of the recorded games
EPILOG = """\
The belief is that of `even` about a stranger, by Black's moves alone. Sets of 3 and 7 games join
different people of one rank. "interval holds": the share of 95% intervals that hold the rank.

example:
  sparring lab beliefs 18k 15k 10k 5k 1k 3d 6d --human-games KGS --cache kgs.npz --games 7
"""


def configure(parser: argparse.ArgumentParser) -> None:
    """Adds the options of `sparring lab beliefs`."""
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    parser.epilog = EPILOG
    people_options.add_people(parser)
    add = parser.add_argument
    add("--games", type=count, default=7, metavar="N",
        help="games of people of each rank; default: %(default)s")  # fmt: skip
    add("--visits", type=count, default=100, metavar="N",
        help="visits of a move of ours; a tenth judge a move; default: %(default)s")  # fmt: skip
    add("--seed", type=int, default=1, metavar="S", help="seed; default: %(default)s")
    add("--json", action="store_true", help="print the findings as JSON")
    add("--quiet", action="store_true", help="no progress bar")


def run(options: argparse.Namespace, say: Say) -> int:
    """Judges the games and prints the tables."""
    try:
        games = {rank: chosen.games for rank, chosen in people_options.chosen_games(options)}
        networks = networks_of(BOARD.game, options.network, options.backend, options.precision)
        evaluator = load(networks.on(BOARD))
        people = HumanPolicy(load(networks.human_on(BOARD) or networks.on(BOARD)))
    except (SettingError, ValueError) as error:
        raise UsageError(str(error)) from error
    stranger = of_stranger(BOARD, evaluator.network)
    search, limit = Search(evaluator, seed=options.seed), Limit(visits=options.visits)
    bar = tqdm(
        total=sum(map(len, games.values())), unit="game", disable=options.quiet, file=sys.stderr
    )

    def learn(tracker: OpponentTracker, game: GameRecord) -> OpponentTracker:
        after = after_game(tracker, search, game, limit, people)
        bar.update()
        return after

    with bar:
        found = list(beliefs(stranger, games, learn))
    scale = scale_of(stranger.ladder)
    if options.json or scale is None:
        say(json.dumps([each.values() for each in found]))
        return 0
    for line in aligned([list(HEADS), *rows(found, scale)]):
        say(line)
    for line in aligned([["rank", "believed after one game"], *rank_rows(found, scale)]):
        say(line)
    return 0
