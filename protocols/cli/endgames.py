"""The subcommand `sparring lab endgames`: its options, its positions and its games.

engine.lab.endgames.positions finds the positions, engine.review.judging judges the games and
engine.lab.endgames.report writes the findings.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from itertools import islice
from pathlib import Path

from tqdm import tqdm

from engine.errors import SettingError, UsageError
from engine.lab.endgames.positions import Endgame, endgames, games_of
from engine.lab.endgames.report import EndgameReport, outcomes
from engine.match.match import seeds_of
from engine.match.record import Row
from engine.match.workers import Pairing, Plan, Series, single
from engine.play.networks import networks_of
from engine.review.bench import Bench
from engine.review.judging import GameJudgement, judged
from engine.review.played import of_row, tells
from engine.search.search import Search
from protocols.cli import study
from protocols.cli.argument_types import count
from protocols.cli.options import Say

METHODS = ("naive", "position:A+B+C", "full+ending=shi", "full+ending=close")
OPPONENT = "full"
OPPONENT_VISITS = 20
WANTED = (-3.5, 3.5)  # points
NEAR = 3.5  # points
POSITIONS_FILE, JUDGED_FILE = "positions.jsonl", "judged.jsonl"
EPILOG = """\
Searches games of Go (SGF files, archives as Tygem's zips and KGS' tar.gz, or folders of them) for
positions at the start of an even endgame, by the signs of Shi et al. (2021): the first one of each
game. Every method plays each position --games times, half of them with each color, against the same
opponent. Methods and the opponent are personas or any player of `sparring match`.

"as wanted": games with a counted margin within --wanted. "near": the same, or at most 3.5 points
beyond. Both have Wilson's 95% intervals; resigned games are neither. "median distance": of the
margin from 0. "natural": geometric mean probability of the method's moves by the reference policy
(a network of human moves where there is one). "under .05": share of moves below that probability.
Intervals are the bootstrap's over games. With --judge-visits a search also measures the points that
a move gives away.

example:
  sparring lab endgames go19 KGS --methods full full+ending=shi full+ending=close --games 10 \\
      --network F --output endgames19
"""


def configure(parser: argparse.ArgumentParser) -> None:
    """Adds the options of `sparring lab endgames`."""
    study.configure(parser, games=10, visits=100)
    parser.epilog = EPILOG
    add = parser.add_argument
    add("sources", metavar="FILE", type=Path, nargs="+", help="SGF files, archives or folders")
    add("--methods", metavar="PLAYER", nargs="+", default=METHODS,
        help=f"methods to compare; default: {' '.join(METHODS)}")  # fmt: skip
    add("--opponent", metavar="PLAYER", default=OPPONENT,
        help="opponent of all methods; default: %(default)s")  # fmt: skip
    add("--opponent-visits", type=count, metavar="N", default=OPPONENT_VISITS,
        help="visits a move of an opponent of this engine; default: %(default)s")  # fmt: skip
    add("--positions", type=count, metavar="N", default=20,
        help="number of positions; default: %(default)s")  # fmt: skip
    add("--wanted", type=float, nargs=2, metavar=("LOW", "HIGH"), default=WANTED,
        help="final margins of the methods' side, points; default: -3.5 3.5")  # fmt: skip
    add("--judge-visits", type=count, metavar="N",
        help="visits of the judge's searches; default: no searches")  # fmt: skip
    add("--reference", metavar="FILE",
        help="network of the reference policy; default: the bundled one of human moves, else "
        "the judge's")  # fmt: skip


def run(options: argparse.Namespace, say: Say) -> int:
    """Finds the positions, plays and judges the games, and prints the table."""
    study.make_folder(options)
    plan = plan_of(options)
    if plan.board.game != "go":
        raise UsageError(f"endgames come from games of Go, not of {plan.board.game}")
    endgames_found = positions_of(options, plan)
    if not endgames_found:
        raise UsageError("no even endgame in these games")
    header = study.header_of(
        options,
        plan,
        opponent_visits=options.opponent_visits,
        positions=[len(each.moves) for each in endgames_found],
        network=options.network,
    )
    rows = study.play(
        plan,
        partial(series_left, options, plan, endgames_found),
        header,
        options,
        games=options.games * len(endgames_found) * len(options.methods),
    )
    low, high = options.wanted
    methods = outcomes(plan.board, options.methods, rows, judge(plan, rows, options), (low, high))
    findings = EndgameReport(plan.board, options.opponent, len(endgames_found), methods, NEAR)
    say(json.dumps(findings.values()) if options.json else "\n".join(findings.lines()))
    if options.output is not None:
        findings.write(options.output)
    return 0


def plan_of(options: argparse.Namespace) -> Plan:
    """Returns the plan of the methods, with the opponent as last player; raises UsageError."""
    methods = [study.player_with_network(options, method) for method in options.methods]
    visits = "--visits", str(options.opponent_visits)
    opponent = study.player_with_network(options, options.opponent, *visits)
    return study.plan_of(options, [*methods, opponent])


def positions_of(options: argparse.Namespace, plan: Plan) -> list[Endgame]:
    """Returns the endgames, first those that the folder has; raises UsageError."""
    start = plan.board
    header = {
        "found": start.name,
        "rules": start.rules,
        "komi": start.komi,
        "visits": options.visits,
        "network": options.network,
        "sources": [str(path) for path in options.sources],
    }
    if options.output is None:
        return _found(options, plan)
    with study.opened(options.output / POSITIONS_FILE, header) as record:
        known = [Endgame.of(dict(row)) for row in record.rows]
        if len(known) < options.positions:
            more = _found(options, plan)[len(known) :]
            for number, endgame in enumerate(more, len(known)):
                record.append(endgame.row(number))
            known += more
    return known[: options.positions]


def _found(options: argparse.Namespace, plan: Plan) -> list[Endgame]:
    start = plan.board
    choice = networks_of(start.game, options.network, options.backend, options.precision)
    try:
        network = plan.networks.network(choice.on(start.board))
        search = Search(network.evaluator, cache=network.cache, seed=options.seed)
        found = endgames(games_of(options.sources, start), start, search, options.visits)
        endgames_found = tqdm(
            islice(found, options.positions),
            total=options.positions,
            unit="position",
            desc="finding",
            disable=options.quiet,
            file=sys.stderr,
        )
        return list(endgames_found)
    except SettingError as error:
        raise UsageError(str(error)) from error


def series_left(
    options: argparse.Namespace, plan: Plan, positions: Sequence[Endgame], rows: Sequence[Row]
) -> list[Series]:
    """Returns the games left; in each round every method plays every position."""
    played = {int(row["game"]) for row in rows}
    methods, opponent = len(options.methods), len(options.methods)
    left = []
    for turn in range(options.games):
        for place, endgame in enumerate(positions):
            start = replace(plan.board, opening=endgame.moves)
            for method in range(methods):
                number = (turn * len(positions) + place) * methods + method
                if number not in played:
                    black = (method, opponent)[(turn + place) % 2]
                    seeds = seeds_of(options.seed, number)
                    pairing = Pairing(number, (method, opponent), black, start, seeds)
                    left.append(single(replace(pairing, known=(None, None))))
    return left


def judge(plan: Plan, rows: Sequence[Row], options: argparse.Namespace) -> dict[int, GameJudgement]:
    """Returns the judgements of the games, by game number, kept in the folder."""
    judgeable = [row for row in rows if tells(row)]
    if options.output is None:
        return _judged(plan, judgeable, options)
    reference = options.reference and Path(options.reference).name
    header = {"judged": plan.board.name, "visits": options.judge_visits, "reference": reference}
    name = f"{reference}-{JUDGED_FILE}" if reference else JUDGED_FILE
    with study.opened(options.output / name, header) as record:
        judgements = {int(row["game"]): GameJudgement.of(row) for row in record.rows}
        missing = [row for row in judgeable if row["game"] not in judgements]
        for game, opinion in _judged(plan, missing, options).items():
            record.append(opinion.row(game))
            judgements[game] = opinion
    return judgements


def _judged(
    plan: Plan, rows: Sequence[Row], options: argparse.Namespace
) -> dict[int, GameJudgement]:
    bench = Bench(
        options.judge_visits,
        plan.networks,
        options.network,
        options.reference,
        options.backend,
        options.precision,
    )
    games = [of_row(plan.board, row) for row in rows]
    numbers = [int(row["game"]) for row in rows]
    try:
        opinions = tqdm(
            judged(bench, games, options.at_once),
            total=len(rows),
            unit="game",
            desc="judging",
            disable=options.quiet,
            file=sys.stderr,
        )
        return dict(zip(numbers, opinions, strict=True))
    except SettingError as error:
        raise UsageError(str(error)) from error
