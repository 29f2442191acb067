"""The subcommand `sparring calibrate`: its options, its progress and its report.

engine.lab.calibrate.calibration lays the rungs.
"""

from __future__ import annotations

import argparse
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

from tqdm import tqdm

from engine.errors import SettingError, UsageError
from engine.games.evaluator import NetworkDescription
from engine.games.table import Board
from engine.lab.calibrate.acceptance import Acceptance, calibrate_accepted
from engine.lab.calibrate.calibration import (
    QUICK,
    QUICK_AGAIN,
    THOROUGH,
    THOROUGH_AGAIN,
    Calibration,
    calibrate,
    ladder_of,
)
from engine.lab.calibrate.games import Players, Row, evaluator_of
from engine.lab.calibrate.report import PAGE, PICTURE, CalibrationReport
from engine.lab.calibrate.round import CalibrationEffort, CalibrationRound
from engine.match.game_spec import NAMES, GameSpec, board_of
from engine.match.record import RecordFileError
from engine.networks.architecture import NetworkFileError
from engine.networks.runtime import BackendError
from engine.play.game_networks import GameNetworks, NetworkChoice
from engine.play.networks import networks_of
from engine.search.chess_aids import ChessAids
from engine.strength.fixed_elo import FixedElo
from engine.strength.rank_scale import assumed_scale
from engine.strength.rating_ladder import ladder_for, users_path, write_ladder
from engine.strength.settings_curve import knots_of
from engine.training.opponents.table_learner import BALANCED_ROUNDS
from protocols.cli import go_options
from protocols.cli.argument_types import count, count_or_none, place, positive
from protocols.cli.calibrate_tables import learn_tables
from protocols.cli.network_options import add_human_option
from protocols.cli.options import Say
from protocols.cli.settings import ROWS

GAMES, QUICK_GAMES = 400, 40
PAIR_SECONDS, QUICK_PAIR_SECONDS = 600.0, 15.0
# The rounds, by --quick and --again.
STAGES = {
    (False, False): THOROUGH,
    (False, True): THOROUGH_AGAIN,
    (True, False): QUICK,
    (True, True): QUICK_AGAIN,
}
EPILOG = """\
Levels of weakened play, from perverse ones through uniformly random play to the strongest, play
against their neighbours and next neighbours, each opening with both colors. Ratings are fitted to
all games together (Bradley-Terry); random play is 0. The curve of each round places the rungs of
the next one 100 Elo apart.

The ladder is written to DIR and to the user's data folder: from then on this network plays levels
by it. A stopped calibration continues at the end of DIR's records.

With --accept the last round lays each rung beside the one before it, and plays until Wilson's
interval of their distance lies within 70 to 130 Elo; another place is tried where it cannot.

With --evidence the ladder gets the tables for judging opponents and keeping games even: levels play
each other, other agents play against them, and even games are played. All records stay in DIR.
With --matches the win model alone is fitted, to even games against real opponents.

examples:
  sparring calibrate connect4 --output ladders/connect4
  sparring calibrate othello8 --network mine.safetensors --quick
  sparring calibrate connect4 --output ladders/connect4 --evidence
  sparring calibrate go9 --matches balance/games.jsonl --placed "gtp:gnugo --mode gtp=1900"
  sparring calibrate go9 --games 200 --pair-seconds 300 --to 3000
  sparring calibrate go9 --again --network mine.safetensors
  sparring calibrate go19 --accept --to 9d --output ladders/go19
"""


def configure(parser: argparse.ArgumentParser) -> None:
    """Adds the options of `sparring calibrate`."""
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    parser.epilog = EPILOG
    add = parser.add_argument
    add("game", metavar="GAME", help=NAMES)
    add("--games", type=count, metavar="N",
        help=f"games of two rungs, in the last round; default: {GAMES}, with --quick "
        f"{QUICK_GAMES}")  # fmt: skip
    add("--pair-seconds", type=positive, metavar="T",
        help="seconds after which two rungs begin no more games, in the last round or, with "
        f"--accept, in a try; default: {PAIR_SECONDS:g}, with --quick "
        f"{QUICK_PAIR_SECONDS:g}")  # fmt: skip
    add("--quick", action="store_true", help="two rounds of few games, rungs 200 Elo apart")
    add("--again", action="store_true",
        help="lay the first rungs by the curve of the present ladder, the network's own or another "
        "network's, and leave out the rounds for finding the curve")  # fmt: skip
    add("--accept", action="store_true",
        help="lay the rungs one by one from random play, each certain to be 70 to 130 Elo from the "
        "last one by Wilson's interval: some 550 games a rung")  # fmt: skip
    add("--evidence", action="store_true",
        help="keep the rungs, and fit the likelihood of moves and the win model to games of this "
        "ladder; --games is then the number between levels")  # fmt: skip
    add("--rounds", type=count_or_none, default=BALANCED_ROUNDS, metavar="N",
        help="with --evidence: rounds of even games, each by the tables of the rounds before; 0 "
        "plays none: a ladder keeps its own win model, and one without any gets one fitted to the "
        "other games; default: %(default)s")  # fmt: skip
    add("--matches", type=Path, nargs="+", default=[], metavar="RECORD",
        help="keep the rungs, and fit the win model to even games of these records of `lab "
        "balance`, and to the games between levels of DIR; play none")  # fmt: skip
    add("--placed", type=place, action="append", default=[], metavar="PLAYER=ELO",
        help="with --matches: the Elo of an opponent on this ladder, as \"gtp:gnugo --mode gtp="
        "1900\"; once for each")  # fmt: skip
    add("--from", type=strength, dest="lowest", metavar="ELO",
        help="leave out levels with a lower expected Elo; in Go a rank, such as 15k")  # fmt: skip
    add("--to", type=strength, dest="highest", metavar="ELO",
        help="leave out levels with a higher expected Elo; in Go a rank, such as 1d")  # fmt: skip
    go_options.add_rules_option(parser)
    go_options.add_komi_option(parser)
    add("--seed", type=int, default=1, metavar="S", help="seed of the games; default: %(default)s")
    add("--processes", type=count, metavar="N",
        help="processes of the games; default: one for each core")  # fmt: skip
    add("--output", type=Path, metavar="DIR",
        help="folder for games, report and ladder; default: calibration/GAME")  # fmt: skip
    add("--no-install", action="store_true", help="write the ladder to DIR alone")
    add("--quiet", action="store_true", help="no progress bar")
    add_human_option(parser)
    ROWS["chess_engine"].add_to(parser)


def run(options: argparse.Namespace, say: Say) -> int:
    """Plays the games, and writes the ladder and its report."""
    try:
        game, width, height = board_of(options.game)
        go_options.settle(options, game)
        start = GameSpec(game, width, height, options.rules, options.komi)
        options.lowest, options.highest = ends_of(options, start.board)
        if None not in (options.lowest, options.highest) and options.lowest >= options.highest:
            raise UsageError(f"--from {options.lowest:g} is not below --to {options.highest:g}")
        networks = networks_of(
            game,
            options.network,
            options.backend,
            options.precision,
            human_network=options.human_network,
            aids=ChessAids(engine=options.chess_engine or ""),
        )
        choice, human = networks.on(start.board), human_choice(networks, start.board)
        if options.evidence or options.matches:
            return learn_tables(options, start, (choice, human), folder_of(options), say)
        network, engine = evaluator_of(choice).network, networks.aids.engine
        playing = replace(network, has_engine=bool(engine))
        calibration = replace(
            calibration_of(options, start, network),
            human=None if human is None else evaluator_of(human).network,
            engine=engine,
            former=ladder_for(start.board, playing) if options.again else None,
        )
        with Players(choice, options.processes, human=human, aids=networks.aids) as players:
            rounds = _shown(calibration, players, options)
    except (NetworkFileError, BackendError, SettingError, RecordFileError, ValueError) as error:
        raise UsageError(str(error)) from error
    folder = folder_of(options)
    ladder = ladder_of(calibration, rounds)
    findings = CalibrationReport(rounds, ladder)
    write_ladder(ladder, folder / f"{start.name}.json")
    for line in findings.lines():
        say(line)
    drawn = findings.write(folder)
    say(f"{folder}: {start.name}.json, {PAGE}" + (f", {PICTURE}" if drawn else ""))
    if not options.no_install:
        path = users_path(start.board, playing)
        write_ladder(ladder, path)
        say(f"{path}: from now on levels are played by it")
    return 0


def strength(text: str) -> FixedElo:
    """Returns the Elo or rank in the text; raises ArgumentTypeError quoting the text."""
    try:
        return FixedElo.read(text)
    except ValueError as error:
        raise argparse.ArgumentTypeError(str(error)) from error


def calibration_of(
    options: argparse.Namespace, start: GameSpec, network: NetworkDescription
) -> Calibration:
    """Returns the calibration of the options."""
    is_quick = options.quick or options.accept
    games = options.games or (QUICK_GAMES if is_quick else GAMES)
    return Calibration(
        start,
        network,
        CalibrationEffort(games, pair_seconds_of(options)),
        seed=options.seed,
        stages=STAGES[is_quick, options.again],
        lowest=options.lowest,
        highest=options.highest,
    )


def pair_seconds_of(options: argparse.Namespace) -> float:
    """Returns the seconds of two rungs; without the option, few with --quick alone."""
    if options.pair_seconds is not None:
        return float(options.pair_seconds)
    return QUICK_PAIR_SECONDS if options.quick else PAIR_SECONDS


def ends_of(options: argparse.Namespace, board: Board) -> list[float | None]:
    """Returns the expected Elo of --from and --to; None without the option.

    Raises ValueError for a rank in a game without ranks.
    """
    scale = assumed_scale(board)
    ends: list[FixedElo | None] = [options.lowest, options.highest]
    return [None if end is None else end.by(scale) for end in ends]


def human_choice(networks: GameNetworks, board: Board) -> NetworkChoice | None:
    """Returns the network of human moves, if a level of the game's curve plays by one."""
    by_people = any(knot.level.needs_people for knot in knots_of(board))
    return networks.human_on(board) if by_people else None


def folder_of(options: argparse.Namespace) -> Path:
    """Returns the folder of games, report and ladder."""
    folder: Path = options.output or Path("calibration") / options.game
    return folder


def _shown(
    calibration: Calibration, players: Players, options: argparse.Namespace
) -> list[CalibrationRound]:
    """Plays the rounds with a progress bar each, and returns them."""
    bars: dict[int, Any] = {}
    shown: list[CalibrationRound] = []  # keeps the rounds, and with them their ids

    def on_row(each: CalibrationRound, _row: Row) -> None:
        if id(each) not in bars:
            shown.append(each)
            name = f"round {len(bars) + 1}, {len(each.places)} rungs"
            bars[id(each)] = tqdm(
                desc=name,
                total=each.most_games,
                unit="game",
                disable=options.quiet,
                file=sys.stderr,
            )
        bars[id(each)].update()

    try:
        folder = folder_of(options)
        if options.accept:
            return calibrate_accepted(calibration, Acceptance(), folder, players, on_row)
        return calibrate(calibration, folder, players, on_row)
    finally:
        for bar in bars.values():
            bar.close()
