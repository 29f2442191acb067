"""The subcommand `sparring match`: its options, its progress and its summary.

engine.match.match lists the games, engine.match.referee plays one, engine.match.summary sums up.
"""

from __future__ import annotations

import argparse
import json
import sys
from contextlib import ExitStack
from pathlib import Path

from tqdm import tqdm

from engine.errors import SettingError, UsageError
from engine.games.table import Board
from engine.match import tables_csv
from engine.match.game_files import GameFiles
from engine.match.game_spec import NAMES, GameSpec, board_of, handicap_moves
from engine.match.match import Match, Schedule, round_robin
from engine.match.player import MoveBudget
from engine.match.players import PlayerTextError, check_player, described
from engine.match.record import MatchRecord, RecordFileError, Row
from engine.match.summary import MatchSummary, pair_of, side_of
from engine.match.tally import Tally
from engine.match.workers import Plan, single
from engine.review.match_naturalness import MatchNaturalness, naturalness
from engine.util.engine_process import EngineLostError, EngineRefusedError
from protocols.cli import go_options
from protocols.cli.argument_types import count, positive
from protocols.cli.options import Say
from protocols.cli.output_files import check_writable
from protocols.cli.review_options import add_reference_options, bench_of

HEADER = ("game", "players", "seed", "visits", "seconds", "referee")
GO_HEADER = ("rules", "komi", "handicap")
LATER_HEADER = ("opening_plies", "depth", "no_swap")  # only where set: older records lack them
EPILOG = """\
players:
{players}

more than two players: every pair plays N games, and one table of Elo ratings is fitted to all.

seeds: the same seed gives the same games, in any order of play. Two exceptions: with --at-once,
players of this engine share their network's evaluations; an agent with a memory (alphabeta-table)
learns during a run, and starts each run anew unless it has a FILE.

Othello's forced passes are played without a request. Programs are informed of them, and may refuse
the message: some insert these passes by themselves.

faults: a program loses a game if it crashes, is silent for longer than --patience, refuses a legal
move or plays an illegal one. The record has the reason, and the match continues with the program
started again. A program that cannot be started at all stops the match.

--natural: the probability of each player's moves by the reference policy (the network of human
moves where the board has one, else the bundled one), the share under .05 and the share of its
first choices; the mean distance to the move before; the median score of counted games; all with
95% intervals over games. It needs only the games: a finished match in --record gets it too.
`sparring review RECORD` reports more.

examples:
  sparring match othello8 roxanne random --games 1000
  sparring match connect4 mcts1 mcts2 minimax1 random --games 50 --record agents.jsonl
  sparring match othello "alphabeta:3" "nboard:edax -nboard -level 1" --csv edax.csv
  sparring match go9 sparring:full "gtp:gnugo --mode gtp --level 10 --chinese-rules" \\
      --games 100 --seconds 1 --rules chinese --record gnugo9.jsonl
  sparring match go13 sparring:full "gtp:katago gtp -model F -config C" --games 200 --visits 200
"""


def configure(parser: argparse.ArgumentParser) -> None:
    """Adds the options of `sparring match`."""
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    parser.epilog = EPILOG.format(players=described())
    add = parser.add_argument
    add("game", metavar="GAME", help=NAMES)
    add("players", metavar="PLAYER", nargs="+", help="two or more players, see below")
    add("--games", type=count, default=100, metavar="N",
        help="games of each pair; default: %(default)s")  # fmt: skip
    add("--seed", type=int, default=1, metavar="S",
        help="seed of openings and random players; default: %(default)s")  # fmt: skip
    add("--visits", type=count, metavar="N",
        help="visits a move, for programs with such a limit; default: its own")  # fmt: skip
    add("--seconds", type=positive, metavar="T",
        help="seconds a move, for programs with such a limit; default: its own")  # fmt: skip
    add("--depth", type=count, metavar="N",
        help="plies of search, for programs of UGI and NBoard; default: its own")  # fmt: skip
    add("--patience", type=positive, default=300.0, metavar="T",
        help="seconds of silence after which a program loses; default: %(default)s")  # fmt: skip
    add("--at-once", type=count, default=1, metavar="N",
        help="games at the same time; default: %(default)s")  # fmt: skip
    add("--elo-k", type=positive, metavar="K",
        help="also print Elo ratings updated game by game, from 1500 with factor K")  # fmt: skip
    _add_game_options(parser)
    _add_output_options(parser)
    add_reference_options(parser)


def _add_game_options(parser: argparse.ArgumentParser) -> None:
    group = parser.add_argument_group("start of the games")
    add = group.add_argument
    add("--no-openings", action="store_true", help="begin games without random moves")
    add("--no-swap", action="store_true", default=None,
        help="give the first color to the player named first in every game")  # fmt: skip
    add("--opening-plies", type=int, metavar="N",
        help="random moves at the start, the same for both colors; default: 8 in Othello (6x6 4, "
        "4x4 2), 4 in Connect4; Go has openings of its own")  # fmt: skip
    go_options.add_rules_option(group)
    go_options.add_komi_option(group)
    add("--handicap", type=int, metavar="N",
        help="handicap stones of Go, on the fixed points; default: 0")  # fmt: skip
    add("--referee", metavar="COMMAND",
        help="GTP engine that counts a game of Go where the players disagree; default: "
        "this engine")  # fmt: skip


def _add_output_options(parser: argparse.ArgumentParser) -> None:
    add = parser.add_argument_group("output").add_argument
    add("--record", type=Path, metavar="FILE",
        help="record of JSON lines, one a game; a stopped match continues there")  # fmt: skip
    add("--games-dir", "--sgf-dir", type=Path, metavar="DIR",
        help="folder for a file a game: SGF for Go, GGF for Othello, columns for "
        "Connect4")  # fmt: skip
    add("--csv", type=Path, metavar="FILE",
        help="table of the games; FILE-summary.csv beside it has the pairs")  # fmt: skip
    add("--natural", action="store_true", help="also measure the naturalness of moves, see below")
    add("--json", action="store_true", help="print the summary as JSON")
    add("--quiet", action="store_true", help="no progress bar")


def run(options: argparse.Namespace, say: Say) -> int:
    """Plays the match and prints the summary; returns 0 when all games were played.

    Raises UsageError, after the summary, where a program cannot continue.
    """
    plan, schedule = plan_of(options), schedule_of(options)
    if options.csv is not None:  # refused before the games
        check_writable(options.csv)
        check_writable(tables_csv.beside(options.csv))
    failure = ""
    with ExitStack() as stack:
        record = None
        if options.record is not None:
            try:
                record = stack.enter_context(MatchRecord(options.record, header(options)))
            except RecordFileError as error:
                raise UsageError(str(error)) from error
        match = Match(plan, record)
        try:
            play(match, schedule, options)
        except (EngineLostError, EngineRefusedError, SettingError) as error:
            failure = f"stopped: {error}"
        except KeyboardInterrupt:
            if match.rows:
                tell(match, options, say, natural=False)
            raise
    if match.rows:
        tell(match, options, say, natural=options.natural)
    if failure:
        raise UsageError(failure)
    return 0


def tell(match: Match, options: argparse.Namespace, say: Say, *, natural: bool) -> None:
    """Prints the summary. natural: whether naturalness is measured too, a long work."""
    plan = match.plan
    summary = MatchSummary(
        plan.players, plan.board.kind.colors, match.rows, elo_factor=options.elo_k
    )
    values, lines = summary.values(), summary.lines()
    if natural:
        naturalness = natural_of(match, options)
        values["natural"] = naturalness.values()
        lines += naturalness.lines()
    say(json.dumps(values) if options.json else "\n".join(lines))
    if options.csv is not None:
        tables_csv.write(options.csv, summary)


def natural_of(match: Match, options: argparse.Namespace) -> MatchNaturalness:
    """Returns the naturalness of the moves; raises UsageError without a reference policy."""
    plan = match.plan
    bench = bench_of(options, None, plan.networks)
    try:
        return naturalness(
            plan.board,
            plan.players,
            match.rows,
            bench,
            at_once=options.at_once,
            quiet=options.quiet,
        )
    except SettingError as error:
        raise UsageError(str(error)) from error


def plan_of(options: argparse.Namespace) -> Plan:
    """Returns the plan of the games: players, start and limits; raises UsageError."""
    if len(options.players) < 2:
        raise UsageError("a match is between two players or more")
    try:
        game, width, height = board_of(options.game)
        go_options.settle(options, game)
        stones = handicap_moves(game, width, height, options.handicap)
        for text in options.players:
            check_player(text, Board(game, width, height))
    except (PlayerTextError, ValueError) as error:
        raise UsageError(str(error)) from error
    return Plan(
        players=tuple(options.players),
        board=GameSpec(game, width, height, options.rules, options.komi, handicap=stones),
        budget=MoveBudget(options.visits, options.seconds, options.depth),
        patience=options.patience,
        referee=options.referee,
    )


def schedule_of(options: argparse.Namespace) -> Schedule:
    """Returns the schedule of the games; raises UsageError."""
    game, _, _ = board_of(options.game)
    if options.opening_plies is not None and (game == "go" or options.opening_plies < 0):
        raise UsageError(
            f"--opening-plies is 0 or more, and not for Go, not {options.opening_plies}"
        )
    return Schedule(
        round_robin(len(options.players)),
        options.games,
        options.seed,
        openings=not options.no_openings and not options.handicap,
        plies=options.opening_plies,
        swap=not options.no_swap,
    )


def header(options: argparse.Namespace) -> dict[str, object]:
    """Returns the header of the record; equal headers mean equal games."""
    board = GameSpec(*board_of(options.game))
    names = (*HEADER, *GO_HEADER) if board.game == "go" else HEADER
    values = {name: getattr(options, name) for name in names}
    if board.game != "go":  # older records of Go have the name as typed
        values["game"] = board.name
    values["openings"] = schedule_of(options).openings
    for name in LATER_HEADER:
        if getattr(options, name) is not None:
            values[name] = getattr(options, name)
    return values


def play(match: Match, schedule: Schedule, options: argparse.Namespace) -> None:
    """Plays the games left with the running result on stderr, and writes the games' files."""
    files = None
    if options.games_dir is not None:
        files = GameFiles(options.games_dir, match.plan.board, match.plan.players)
        files.add_missing(match.rows)
    try:
        left = match.left(schedule)
    except ValueError as error:
        raise UsageError(str(error)) from error
    if left:
        match.check_players()
    running = Running(match.plan.players)
    for row in match.rows:
        running.add(row)
    with tqdm(
        total=len(match.rows) + len(left),
        initial=len(match.rows),
        unit="game",
        disable=options.quiet,
        file=sys.stderr,
    ) as bar:
        bar.set_postfix_str(str(running))
        for row in match.play(map(single, left), options.at_once):
            if files is not None:
                files.add(row)
            running.add(row)
            if not options.quiet:
                bar.set_postfix_str(str(running), refresh=False)
            bar.update()


class Running:
    """The result so far, as a short text."""

    def __init__(self, players: tuple[str, ...]) -> None:
        self._players = players
        self._tallies = [Tally() for _ in players]  # by player, over all its games

    def add(self, row: Row) -> None:
        """Counts a game."""
        side = side_of(row)
        for index, player in enumerate(pair_of(row)):
            winner = None if side is None else side ^ index
            self._tallies[player] = self._tallies[player].add(winner)

    def __str__(self) -> str:
        if len(self._players) == 2:
            return str(self._tallies[0])
        best = max(range(len(self._players)), key=lambda player: self._tallies[player].rate)
        return f"best {self._players[best]}: {self._tallies[best]}"
