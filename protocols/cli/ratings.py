"""The subcommand `sparring lab ratings`: the worth of a server's ratings, on simulated players.

engine.lab.rated_strangers simulates.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator, Sequence

import numpy as np
from tqdm import tqdm

from engine.errors import SettingError, UsageError
from engine.games.table import Board
from engine.lab.rated_strangers import (
    ENGINES,
    FITTING_ELO,
    StrangerGames,
    StrangerWorld,
    games_until_fit,
    play_strangers,
)
from engine.match.game_spec import NAMES, board_of
from engine.opponents.opponent_rating import scale_for
from engine.opponents.rating_system import SYSTEMS
from engine.report.tables import aligned
from engine.strength.rating_ladder import BUNDLED, read_ladder
from protocols.cli.argument_types import count
from protocols.cli.options import Say

SHOWN = (0, 1, 3, 10, 30)  # games played, columns of the table
EPILOG = """\
Each player has a rating of its server. The strengths follow a line with another offset than the
first map's; some are stronger than their ratings say. Levels are played at the believed strength, a
game a day. The columns are the mean error of the level after so many games, in Elo, and the games
until the level first is within 150 Elo of the strength, as mean and median.

examples:
  sparring lab ratings
  sparring lab ratings --wrong 0.3 --moves 200
"""


def configure(parser: argparse.ArgumentParser) -> None:
    """Adds the options of `sparring lab ratings`."""
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    parser.epilog = EPILOG
    add = parser.add_argument
    add("game", nargs="?", default="go9", metavar="GAME", help=f"{NAMES}; default: %(default)s")
    add("--server", choices=sorted(SYSTEMS), default="ogs", help="default: %(default)s")
    add("--players", type=count, default=200, metavar="N", help="default: %(default)s")
    add("--games", type=count, default=31, metavar="N",
        help="games with each player; default: %(default)s")  # fmt: skip
    add("--wrong", type=float, default=0.1, metavar="SHARE",
        help="share of players with wrong ratings; default: %(default)s")  # fmt: skip
    add("--wrong-elo", type=float, default=600.0, metavar="ELO",
        help="how much stronger those are; default: %(default)s")  # fmt: skip
    add("--offset", type=float, default=-150.0, metavar="ELO",
        help="offset of the true line from the first map; default: %(default)s")  # fmt: skip
    add("--spread", type=float, default=150.0, metavar="ELO",
        help="deviation of strengths at an exact rating; default: %(default)s")  # fmt: skip
    add("--moves", type=float, default=0.0, metavar="ELO",
        help="deviation of the evidence of a game's moves; default: no moves")  # fmt: skip
    add("--seed", type=int, default=1, metavar="S", help="seed; default: %(default)s")
    add("--json", action="store_true", help="print the findings as JSON")
    add("--quiet", action="store_true", help="no progress bar")


def run(options: argparse.Namespace, say: Say) -> int:
    """Plays the simulated games and prints the table."""
    try:
        board = Board(*board_of(options.game))
        ladder = read_ladder(BUNDLED / f"{board.name}.json")
    except (SettingError, OSError, ValueError) as error:
        raise UsageError(f"no ladder of {options.game}: {error}") from error
    scale = scale_for(options.server, ladder)
    if scale is None:
        raise UsageError(f"no ratings of {options.server}")
    world = StrangerWorld(
        options.offset, options.spread, options.wrong, options.wrong_elo, options.moves
    )
    with tqdm(total=options.players, disable=options.quiet, file=sys.stderr) as bar:
        played = play_strangers(
            world,
            scale,
            ladder,
            players=options.players,
            games=options.games,
            seed=options.seed,
            on_player=bar.update,
        )
    rows = list(findings(played))
    if options.json:
        say(json.dumps(rows))
        return 0
    for line in lines(rows):
        say(line)
    return 0


def findings(played: StrangerGames) -> Iterator[dict[str, object]]:
    """Yields the findings for each engine, on players with right and with wrong ratings."""
    wrong = np.array([player.is_wrong for player in played.players])
    for engine in ENGINES:
        for name, chosen in (("right", ~wrong), ("wrong", wrong)):
            errors = played.errors[engine][chosen]
            if not len(errors):
                continue
            until = games_until_fit(errors)
            after = [games for games in SHOWN if games < errors.shape[1]]
            yield {
                "engine": engine,
                "ratings": name,
                "players": len(errors),
                "errors": {games: float(np.abs(errors[:, games]).mean()) for games in after},
                "bias": float(errors[:, 0].mean()),
                "mean_until_fit": float(until.mean()),
                "median_until_fit": float(np.median(until)),
                "fitting_elo": FITTING_ELO,
            }


def lines(rows: Sequence[dict[str, object]]) -> Iterator[str]:
    """Yields the table."""
    if not rows:
        return
    errors = rows[0]["errors"]
    played = list(errors) if isinstance(errors, dict) else []
    heads = ["engine", "ratings", "players", *(f"after {games}" for games in played)]
    table = [[*heads, "games until it fits", "median"]]
    for row in rows:
        own = row["errors"]
        shown = [f"{own[games]:.0f}" for games in played] if isinstance(own, dict) else []
        table.append(
            [
                str(row["engine"]), str(row["ratings"]), str(row["players"]), *shown,
                f"{row['mean_until_fit']:.1f}", f"{row['median_until_fit']:g}",
            ]
        )  # fmt: skip
    yield from aligned(table)
