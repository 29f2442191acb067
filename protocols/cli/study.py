"""The games of a measurement: who plays on which terms, kept in a folder, shown as they are played.

Knows the options that such commands share. A command that was killed goes on where its folder ends.
Does not know which games are measured, nor what they come to.
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
from engine.match.engine_process import EngineLostError, EngineRefusedError
from engine.match.game_spec import NAMES, GameSpec, board_of
from engine.match.match import Match, Schedule, pairings
from engine.match.player import MoveBudget
from engine.match.players import PLAYERS, PlayerTextError, check_player
from engine.match.record import MatchRecord, RecordFileError, Row
from engine.match.workers import Plan, Series, single
from engine.util.argument_types import count, positive
from protocols.cli import go_options

GAMES_FILE = "games.jsonl"

SeriesOf = Callable[[Sequence[Row]], Sequence[Series]]  # what is left, given the games played


def configure(parser: argparse.ArgumentParser, *, games: int, visits: int) -> None:
    """Adds the options that say how games are played and where they are kept."""
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    add = parser.add_argument
    add("game", metavar="GAME", help=NAMES)
    add("--games", type=count, default=games, metavar="N", help="default: %(default)s")
    add("--visits", type=count, default=visits, metavar="N",
        help="a move, where the player has none of its own; default: %(default)s")  # fmt: skip
    add("--seed", type=int, default=1, metavar="S", help="default: %(default)s")
    add("--at-once", type=count, default=2, metavar="N",
        help="games at the same time; default: %(default)s")  # fmt: skip
    add("--patience", type=positive, default=300.0, metavar="T",
        help="seconds of silence after which a program has lost; default: %(default)s")  # fmt: skip
    add("--no-openings", action="store_true", help="begin with the first move, as the papers do")
    add("--opening-plies", type=count, metavar="N",
        help="random moves that games begin with; default: as sparring match has them")  # fmt: skip
    go_options.add_rules_option(parser)
    go_options.add_komi_option(parser)
    add("--output", type=Path, metavar="DIR",
        help="keep games, tables and a picture there; what was stopped goes on")  # fmt: skip
    add("--json", action="store_true", help="print the findings as JSON")
    add("--quiet", action="store_true", help="no progress bar")


def player_of(text: str) -> str:
    """A player as matches write it; a bare persona is this engine's.

    >>> player_of("level:1200"), player_of("mcts1"), player_of("gtp:gnugo")
    ('sparring:level:1200', 'mcts1', 'gtp:gnugo')
    """
    name = text.split(":", 1)[0]
    return text if name in PLAYERS or name in AGENTS else f"sparring:{text}"


def player_with_network(options: argparse.Namespace, text: str, *more: str) -> str:
    """As player_of; this engine's with the network of the options, and more words behind it."""
    player = player_of(text)
    if not player.startswith("sparring:"):
        return player
    told = [] if options.network is None else ["--network", options.network]
    told += ["--backend", options.backend, "--precision", options.precision, *more]
    return f"{player} {shlex.join(told)}"


def start_of(options: argparse.Namespace) -> GameSpec:
    """How games begin but for their openings; raises UsageError."""
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
    """So many games of each pair, by numbers of players, begun as the options say."""
    return Schedule(
        tuple(pairs),
        games,
        options.seed,
        openings=not options.no_openings,
        plies=options.opening_plies,
    )


def plan_of(options: argparse.Namespace, players: Sequence[str]) -> Plan:
    """Who plays under which limits; raises UsageError."""
    start = start_of(options)
    try:
        for text in players:
            check_player(text, start.board)
    except PlayerTextError as error:
        raise UsageError(str(error)) from error
    return Plan(tuple(players), start, MoveBudget(visits=options.visits), options.patience)


def header_of(options: argparse.Namespace, plan: Plan, **more: object) -> dict[str, object]:
    """What the record says of the measurement; with one header games are the same."""
    board = plan.board
    found: dict[str, object] = {
        "measured": options.subcommand,
        "game": board.name,
        "players": list(plan.players),
        "seed": options.seed,
        "visits": options.visits,
        "openings": not options.no_openings,
        "opening_plies": options.opening_plies,
    }
    if board.game == "go":
        found |= {"rules": board.rules, "komi": board.komi}
    return found | more


def make_folder(options: argparse.Namespace) -> None:
    """Makes the folder of --output, where it was asked for; raises OSError where it cannot."""
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
    """All games, those that the folder held too, in their numbers' order; raises UsageError.

    games: how many there will be at most.
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
    """The games of the options for each pair of players, by their numbers; as play."""
    schedule = schedule_of(options, pairs, options.games)
    return play(
        plan,
        partial(_games_left, schedule, plan.board),
        header_of(options, plan),
        options,
        games=options.games * len(pairs),
    )


def _games_left(schedule: Schedule, board: GameSpec, rows: Sequence[Row]) -> list[Series]:
    """The games not played yet, in no order."""
    played = {int(row["game"]) for row in rows}
    return [single(pairing) for pairing in pairings(schedule, board, played)]


def opened(path: Path, header: Mapping[str, object]) -> MatchRecord:
    """The record at that path, to be gone on with; raises UsageError."""
    try:
        return MatchRecord(path, header)
    except RecordFileError as error:
        raise UsageError(str(error)) from error
