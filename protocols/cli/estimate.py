"""The subcommand `sparring lab estimate`: its options and its games.

engine.lab.placing measures the strangers' strength, engine.lab.estimation grades the estimates and
engine.lab.estimate_report writes the findings.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

from engine.errors import SettingError, UsageError
from engine.lab.estimate_report import EstimateReport
from engine.lab.estimation import StrengthEstimate, estimates
from engine.lab.held_out import Stranger, stranger, strangers
from engine.lab.placed_games import left_out_lines
from engine.lab.placing import LadderPlace, Placing, levels_of
from engine.lab.recorded_series import recorded_series
from engine.match.game_spec import GameSpec
from engine.match.match import Schedule, seeds_of, start_of
from engine.match.record import RecordFileError, Row
from engine.match.workers import Pairing, Plan, Series
from engine.personas import make_persona
from engine.play.networks import networks_of
from engine.strength.rating_ladder import LadderFileError, RatingLadder, ladder_for
from protocols.cli import study
from protocols.cli.argument_types import count, place
from protocols.cli.options import Say

PLACING_FILE = "placing.jsonl"
MATCHED = "strength:even:closeness=0:caution=0"  # results of such games are the most informative
MOST_GAMES = 1000  # games of a series; the numbers of games rest on it
MOST_SERIES = 1000  # series of a stranger
EPILOG = """\
A stranger is an opponent outside the ladder. It first plays --placing games against the most
informative levels of the ladder: their result counts as its true strength. Then the persona plays
--series series of --games games against it, without knowledge at first. After 1, 3, 5 and 15 games
the persona's estimate is compared with the truth: by results alone, by moves alone and by both. A
stranger that changes plays some games as one agent and the others as another; the truth then is the
other agent's strength.

A cell shows the mean distance from the truth in Elo (and the mean error, + for an overestimate),
then the share of 95% intervals that hold the truth, and half their mean width. The truth's own
error is part of the distance. A persona with close games (even) learns little from results, since
it steers every game to the same result.

With --matches nothing is played: the estimates are those in records of `lab balance --remember`,
by both, and --placed gives the strangers' true strength.

examples:
  sparring lab estimate othello8 --games 15 --series 4 --output estimate
  sparring lab estimate connect4 --strangers mcts:30 minimax1 --placing 100
  sparring lab estimate go9 --matches even/games.jsonl --placed "gtp:gnugo --mode gtp=1900"
"""


def configure(parser: argparse.ArgumentParser) -> None:
    """Adds the options of `sparring lab estimate`."""
    study.configure(parser, games=15, visits=200)
    parser.epilog = EPILOG
    add = parser.add_argument
    add("--persona", default=MATCHED, metavar="TEXT",
        help="persona that plays and estimates; default: %(default)s")  # fmt: skip
    add("--strangers", nargs="+", metavar="PLAYER",
        help="opponents; default: agents and settings outside all ladders")  # fmt: skip
    add("--series", type=count, default=2, metavar="N",
        help="series of games with each stranger; default: %(default)s")  # fmt: skip
    add("--placing", type=count, default=150, metavar="N",
        help="games that measure each stranger's true strength; default: %(default)s")  # fmt: skip
    add("--matches", type=Path, nargs="+", default=[], metavar="RECORD",
        help="take the estimates of these records of `lab balance`; play none")  # fmt: skip
    add("--placed", type=place, action="append", default=[], metavar="PLAYER=ELO",
        help="with --matches: the Elo of an opponent on the ladder, once for each")  # fmt: skip


@dataclass(frozen=True, slots=True)
class Meetings:
    """The series of one player, number 0, against strangers."""

    strangers: Sequence[Stranger]
    players: Sequence[str]  # texts of the strangers' players, from number 1 on
    schedule: Schedule  # schedule of one series
    board: GameSpec

    def number(self, stranger: int, series: int, game: int) -> int:
        """Returns the number of a game in the record."""
        return (stranger * MOST_SERIES + series) * MOST_GAMES + game

    def series(self, stranger: int, series: int, rows: Sequence[Row]) -> Series:
        """Returns one series, continued after its rows among `rows`."""
        played = self.of(stranger, series, rows)
        return Series(partial(self._next, stranger, series), tuple(played))

    def of(self, stranger: int, series: int, rows: Sequence[Row]) -> list[Row]:
        """Returns the rows of a series, in order."""
        first = self.number(stranger, series, 0)
        mine = [row for row in rows if first <= row["game"] < first + MOST_GAMES]
        return sorted(mine, key=lambda row: int(row["game"]))

    def _next(self, stranger: int, series: int, rows: Sequence[Row]) -> Pairing | None:
        game = len(rows)
        if game >= self.schedule.rounds:
            return None
        pair = (0, 1 + self.players.index(self.strangers[stranger].player(game)))
        number = self.number(stranger, series, game)
        known = (rows[-1]["known"][0], None) if rows else (None, None)
        start = start_of(self.schedule, self.board, series * MOST_GAMES + game)
        seeds = seeds_of(self.schedule.seed, number)
        return Pairing(number, pair, pair[game % 2], start, seeds, known, keep=True)


def run(options: argparse.Namespace, say: Say) -> int:
    """Places the strangers, plays the series, and prints the errors of the estimates."""
    study.make_folder(options)
    if options.games >= MOST_GAMES or options.series >= MOST_SERIES:
        raise UsageError(f"--games and --series are below {MOST_GAMES}")
    board = study.start_of(options)
    if options.matches:
        return tell_findings(recorded_report(options, board, say), options, say)
    opponents = [*map(stranger, options.strangers)] if options.strangers else strangers(board.name)
    players = list(dict.fromkeys(text for each in opponents for text in (each.before, each.after)))
    plan = study.plan_of(options, [study.player_of(options.persona), *players])
    ladder = ladder_of(plan)
    places = placed(options, players, ladder, plan)
    schedule = study.schedule_of(options, (), options.games)
    meetings = Meetings(opponents, players, schedule, plan.board)
    rows = study.play(
        plan,
        lambda known: [
            meetings.series(stranger, series, known)
            for series in range(options.series)
            for stranger in range(len(opponents))
            if len(meetings.of(stranger, series, known)) < options.games
        ],
        study.header_of(options, plan, strangers=[each.name for each in opponents]),
        options,
        games=options.games * options.series * len(opponents),
    )
    try:
        is_natural = has_budget(options.persona, plan.board.board.game)
        estimate = partial(estimates, places=places, ladder=ladder, is_natural=is_natural)
        graded = all_estimates(meetings, options.series, rows, estimate)
    except ValueError as error:
        raise UsageError(f"{options.persona!r}: {error}") from error
    return tell_findings(
        EstimateReport(plan.board, ladder, places, opponents, graded), options, say
    )


def tell_findings(findings: EstimateReport, options: argparse.Namespace, say: Say) -> int:
    """Prints the findings and writes them to --output, if any; returns the exit status."""
    say(json.dumps(findings.values()) if options.json else "\n".join(findings.lines()))
    if options.output is not None:
        findings.write(options.output)
    return 0


def recorded_report(options: argparse.Namespace, board: GameSpec, say: Say) -> EstimateReport:
    """Returns the estimates in the records of --matches; raises UsageError."""
    try:
        series = recorded_series(options.matches, board, dict(options.placed))
    except (RecordFileError, OSError) as error:
        raise UsageError(str(error)) from error
    if not options.json:
        for line in left_out_lines(series.left_out):
            say(line)
    ladder = ladder_of(study.plan_of(options, [study.player_of(options.persona)]))
    return EstimateReport(board, ladder, series.places, series.strangers, series.estimates)


def has_budget(player: str, game: str) -> bool:
    """Tests whether a player is a persona of this engine with a naturalness budget."""
    try:
        words = player.removeprefix("sparring:").split()
        return make_persona(words[0] if words else "", game).naturalness is not None
    except ValueError:
        return False


def ladder_of(plan: Plan) -> RatingLadder:
    """Returns the ladder of the bundled network; raises UsageError."""
    board = plan.board.board
    try:
        network = plan.networks.network(networks_of(board.game).on(board))
        return ladder_for(board, network.evaluator.network)
    except (SettingError, LadderFileError) as error:
        raise UsageError(str(error)) from error


def placed(
    options: argparse.Namespace, players: Sequence[str], ladder: RatingLadder, plan: Plan
) -> dict[str, LadderPlace]:
    """Plays the strangers against the ladder's levels, and returns their places by text."""
    levels = levels_of(ladder)
    placing = Placing(ladder, tuple(levels), len(players), options.placing)
    against = replace(plan, players=(*players, *(f"sparring:level:{elo}" for elo in levels)))
    schedule = study.schedule_of(options, (), options.placing)
    rows = study.play(
        against,
        lambda known: [
            placing.series(schedule, plan.board, number, known)
            for number in range(len(players))
            if len(placing.of(number, known)) < options.placing
        ],
        study.header_of(options, against),
        options,
        games=options.placing * len(players),
        file=PLACING_FILE,
    )
    return {text: placing.place(placing.of(number, rows)) for number, text in enumerate(players)}


def all_estimates(
    meetings: Meetings,
    series: int,
    rows: Sequence[Row],
    estimate: Callable[[Stranger, int, Sequence[Row]], list[StrengthEstimate]],
) -> list[StrengthEstimate]:
    """Returns the estimates of every series; raises ValueError where the player makes none."""
    return [
        one
        for number, each in enumerate(meetings.strangers)
        for turn in range(series)
        for one in estimate(each, turn, meetings.of(number, turn, rows))
    ]
