"""The subcommand `sparring match`: its options, and what is shown while and after it plays.

Does not know how a game is played (engine.match.referee), which games there are
(engine.match.match) nor what they came to (engine.match.summary).
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
from engine.match.engine_process import EngineLostError, EngineRefusedError
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
from engine.util.argument_types import count, positive
from protocols.cli import go_options
from protocols.cli.options import Say
from protocols.cli.output_files import check_writable
from protocols.cli.review_options import add_reference_options, bench_of

HEADER = ("game", "players", "seed", "visits", "seconds", "referee")
GO_HEADER = ("rules", "komi", "handicap")
LATER_HEADER = ("opening_plies", "depth", "no_swap")  # where given, as older records lack them
EPILOG = """\
players:
{players}

more than two players: every pair plays N games, and one table of Elo ratings is fitted to all.

the same seed has the same games, in whatever order they are played, but for this engine's own at
several tables, which share what their network evaluated; what an agent remembers from game to game
(alphabeta-table) it learns at its own table, anew in each run unless it has a FILE.

Othello's forced passes are played without asking; programs are told of them, and may refuse to hear
it, as some insert them by themselves.

faults: a program that crashes, is silent for longer than --patience, refuses a legal move or plays
an illegal one loses that game, the record says how, and the match goes on with the program started
again. A program that cannot be started at all stops the match.

--natural: how likely the reference policy thinks each player's moves (the network of human moves
where the board has one, else the bundled one), the share under .05, the share that it likes best;
the mean distance to the move before; the median of counted games' scores, whoever won; with 95%
intervals by game. It is worked out from the games, so a match that is over in --record can be told
so too; `sparring review RECORD` tells more of it.

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
    add("players", metavar="PLAYER", nargs="+", help="two or more, see below")
    add("--games", type=count, default=100, metavar="N", help="of each pair; default: %(default)s")
    add("--seed", type=int, default=1, metavar="S",
        help="of the openings and of players that are random; default: %(default)s")  # fmt: skip
    add("--visits", type=count, metavar="N", help="visits a move, where the program can be told")
    add("--seconds", type=positive, metavar="T", help="seconds a move, where it can be told")
    add(
        "--depth",
        type=count,
        metavar="N",
        help="plies, where it can be told (UGI, NBoard)",
    )
    add("--patience", type=positive, default=300.0, metavar="T",
        help="seconds of silence after which a program has lost; default: %(default)s")  # fmt: skip
    add("--at-once", type=count, default=1, metavar="N", help="games at the same time")
    add("--elo-k", type=positive, metavar="K",
        help="also tell ratings that begin at 1500 and move by K times the surprise")  # fmt: skip
    _add_game_options(parser)
    _add_output_options(parser)
    add_reference_options(parser)


def _add_game_options(parser: argparse.ArgumentParser) -> None:
    group = parser.add_argument_group("how games begin")
    add = group.add_argument
    add("--no-openings", action="store_true", help="with the first move")
    add("--no-swap", action="store_true", default=None,
        help="the player named first has the first color in every game")  # fmt: skip
    add("--opening-plies", type=int, metavar="N",
        help="after so many random moves, the same for both colors; default: 8 in Othello (6x6 4, "
        "4x4 2), 4 in Connect4; Go has openings of its own")  # fmt: skip
    go_options.add_rules_option(group)
    go_options.add_komi_option(group)
    add("--handicap", type=int, metavar="N", help="of Go: stones on the fixed points")
    add("--referee", metavar="COMMAND",
        help="of Go: a GTP engine that counts where players don't agree; default: "
        "this engine")  # fmt: skip


def _add_output_options(parser: argparse.ArgumentParser) -> None:
    add = parser.add_argument_group("what is kept and shown").add_argument
    add("--record", type=Path, metavar="FILE",
        help="JSON lines, one a game; a match that was stopped goes on there")  # fmt: skip
    add("--games-dir", "--sgf-dir", type=Path, metavar="DIR",
        help="a file a game: SGF for Go, GGF for Othello, columns for Connect4")  # fmt: skip
    add("--csv", type=Path, metavar="FILE",
        help="the games as a table, and beside it FILE-summary.csv with the pairs")  # fmt: skip
    add("--natural", action="store_true", help="also tell how natural the moves were, see below")
    add("--json", action="store_true", help="print the summary as JSON")
    add("--quiet", action="store_true", help="no progress bar")


def run(options: argparse.Namespace, say: Say) -> int:
    """Plays the match; 0 when all games were played. Raises UsageError when a program won't go on.

    What was played is summed up in both cases.
    """
    plan, schedule = plan_of(options), schedule_of(options)
    if options.csv is not None:  # said before the games
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
    """Sums up what was played; natural: how natural the moves were, too, which takes long."""
    plan = match.plan
    summary = MatchSummary(
        plan.players, plan.board.kind.colors, match.rows, elo_factor=options.elo_k
    )
    values, lines = summary.values(), summary.lines()
    if natural:
        found = natural_of(match, options)
        values["natural"] = found.values()
        lines += found.lines()
    say(json.dumps(values) if options.json else "\n".join(lines))
    if options.csv is not None:
        tables_csv.write(options.csv, summary)


def natural_of(match: Match, options: argparse.Namespace) -> MatchNaturalness:
    """How natural the moves were; raises UsageError where the reference can't be loaded."""
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
    """Who plays what, as the options say; raises UsageError."""
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
    """Which games are asked for; raises UsageError."""
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
    """What the record says of the match; two matches with one header have the same games."""
    board = GameSpec(*board_of(options.game))
    names = (*HEADER, *GO_HEADER) if board.game == "go" else HEADER
    found = {name: getattr(options, name) for name in names}
    if board.game != "go":  # whose names older records have as they were written
        found["game"] = board.name
    found["openings"] = schedule_of(options).openings
    for name in LATER_HEADER:
        if getattr(options, name) is not None:
            found[name] = getattr(options, name)
    return found


def play(match: Match, schedule: Schedule, options: argparse.Namespace) -> None:
    """Plays what is left, showing the running result on stderr, and writes the games' files."""
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
    """The result so far in a few words."""

    def __init__(self, players: tuple[str, ...]) -> None:
        self._players = players
        self._tallies = [Tally() for _ in players]  # each player's, over all its games

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
