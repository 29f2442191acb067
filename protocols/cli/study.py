"""The games of a research instrument: their options, their record in a folder, their progress bar.

A killed command continues at the end of its record.
"""

from __future__ import annotations

import argparse
import shlex
import sys
from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack
from functools import partial
from pathlib import Path

from tqdm import tqdm

from engine.agents import AGENTS
from engine.errors import SettingError, UsageError
from engine.match.game_spec import NAMES, GameSpec, board_of
from engine.match.match import Match, Schedule, pairings
from engine.match.player import MoveBudget
from engine.match.players import PLAYERS, PlayerTextError, check_player
from engine.match.record import MatchRecord, RecordFileError, Row
from engine.match.workers import Plan, Series, single
from engine.util.engine_process import EngineLostError, EngineRefusedError
from protocols.cli import go_options
from protocols.cli.argument_types import count, positive

GAMES_FILE = "games.jsonl"

SeriesOf = Callable[[Sequence[Row]], Sequence[Series]]  # games played -> games left


def configure(parser: argparse.ArgumentParser, *, games: int, visits: int) -> None:
    """Adds the options of the games and of their record."""
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    add = parser.add_argument
    add("game", metavar="GAME", help=NAMES)
    add("--games", type=count, default=games, metavar="N",
        help="number of games, see below; default: %(default)s")  # fmt: skip
    add("--visits", type=count, default=visits, metavar="N",
        help="visits a move of a player without a number of its own; "
        "default: %(default)s")  # fmt: skip
    add("--no-openings", action="store_true",
        help="begin games without random moves, as the papers do")  # fmt: skip
    add("--opening-plies", type=count, metavar="N",
        help="random moves at the start of a game; default: as `sparring match`")  # fmt: skip
    add_run_options(parser)


def add_run_options(parser: argparse.ArgumentParser) -> None:
    """Adds the options of every instrument that plays: its seed, its rules and its record."""
    add = parser.add_argument
    add("--seed", type=int, default=1, metavar="S",
        help="seed of openings and players; default: %(default)s")  # fmt: skip
    add("--at-once", type=count, default=2, metavar="N",
        help="games at the same time; default: %(default)s")  # fmt: skip
    add("--patience", type=positive, default=300.0, metavar="T",
        help="seconds of silence after which a program loses; default: %(default)s")  # fmt: skip
    go_options.add_rules_option(parser)
    go_options.add_komi_option(parser)
    add("--output", type=Path, metavar="DIR",
        help="folder for games, tables and a picture; a stopped command continues there; "
        "default: none")  # fmt: skip
    add("--json", action="store_true", help="print the findings as JSON")
    add("--quiet", action="store_true", help="no progress bar")


def player_of(text: str) -> str:
    """Returns a player as a match writes it; a bare persona is one of this engine.

    >>> player_of("level:1200"), player_of("mcts1"), player_of("gtp:gnugo")
    ('sparring:level:1200', 'mcts1', 'gtp:gnugo')
    """
    name = text.split(":", 1)[0]
    return text if name in PLAYERS or name in AGENTS else f"sparring:{text}"


def player_with_network(options: argparse.Namespace, text: str, *more: str) -> str:
    """Returns player_of(text); a player of this engine gets the network options and `more`."""
    player = player_of(text)
    if not player.startswith("sparring:"):
        return player
    words = [] if options.network is None else ["--network", options.network]
    words += ["--backend", options.backend, "--precision", options.precision, *more]
    return f"{player} {shlex.join(words)}"


def start_of(options: argparse.Namespace) -> GameSpec:
    """Returns the start of the games, without openings; raises UsageError."""
    try:
        game, width, height = board_of(options.game)
    except ValueError as error:
        raise UsageError(str(error)) from error
    go_options.settle(options, game)
    if game == "go" and options.opening_plies is not None:
        raise UsageError("--opening-plies is not for Go, whose openings have their own shapes")
    return GameSpec(game, width, height, options.rules, options.komi)


def schedule_of(
    options: argparse.Namespace, pairs: Sequence[tuple[int, int]], games: int
) -> Schedule:
    """Returns a schedule of `games` games for each pair of players' numbers."""
    return Schedule(
        tuple(pairs),
        games,
        options.seed,
        openings=not options.no_openings,
        plies=options.opening_plies,
    )


def plan_of(options: argparse.Namespace, players: Sequence[str]) -> Plan:
    """Returns the plan of the games: players, start and limits; raises UsageError."""
    start = start_of(options)
    try:
        for text in players:
            check_player(text, start.board)
    except PlayerTextError as error:
        raise UsageError(str(error)) from error
    return Plan(tuple(players), start, MoveBudget(visits=options.visits), options.patience)


def header_of(options: argparse.Namespace, plan: Plan, **more: object) -> dict[str, object]:
    """Returns the header of the record; equal headers mean equal games."""
    board = plan.board
    header: dict[str, object] = {
        "measured": options.subcommand,
        "game": board.name,
        "players": list(plan.players),
        "seed": options.seed,
        "visits": options.visits,
        "openings": not options.no_openings,
        "opening_plies": options.opening_plies,
    }
    if board.game == "go":
        header |= {"rules": board.rules, "komi": board.komi}
    return header | more


def make_folder(options: argparse.Namespace) -> None:
    """Makes the folder of --output, if any; raises OSError."""
    if options.output is not None:
        options.output.mkdir(parents=True, exist_ok=True)


def play(
    plan: Plan,
    series_of: SeriesOf,
    header: Mapping[str, object],
    options: argparse.Namespace,
    *,
    games: int,
    file: str = GAMES_FILE,
) -> list[Row]:
    """Plays the games left, and returns all rows by game number; raises UsageError.

    games: total number of games, for the progress bar.
    """
    with ExitStack() as stack:
        record = None
        if options.output is not None:
            record = stack.enter_context(opened(options.output / file, header))
        match = Match(plan, record)
        try:
            left = series_of(match.rows)
            if left:
                match.check_players()
            with tqdm(
                total=games,
                initial=len(match.rows),
                unit="game",
                disable=options.quiet,
                file=sys.stderr,
            ) as bar:
                for _ in match.play(left, options.at_once):
                    bar.update()
        except (EngineLostError, EngineRefusedError, SettingError, ValueError) as error:
            raise UsageError(f"stopped: {error}") from error
    return sorted(match.rows, key=lambda row: int(row["game"]))


def play_pairs(
    options: argparse.Namespace, plan: Plan, pairs: Sequence[tuple[int, int]]
) -> list[Row]:
    """Plays the games of the options for each pair of players' numbers, as `play` does."""
    schedule = schedule_of(options, pairs, options.games)
    return play(
        plan,
        partial(games_left, schedule, plan.board),
        header_of(options, plan),
        options,
        games=options.games * len(pairs),
    )


def games_left(schedule: Schedule, board: GameSpec, rows: Sequence[Row]) -> list[Series]:
    """Returns the games not played yet, in any order."""
    played = {int(row["game"]) for row in rows}
    return [single(pairing) for pairing in pairings(schedule, board, played)]


def opened(path: Path, header: Mapping[str, object]) -> MatchRecord:
    """Returns the record at the path, open for more rows; raises UsageError."""
    try:
        return MatchRecord(path, header)
    except RecordFileError as error:
        raise UsageError(str(error)) from error
