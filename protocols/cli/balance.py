"""The subcommand `sparring lab balance`: its options and its games.

Does not know how distances are reckoned (engine.lab.balance), how judges look at games
(engine.review.judging) nor how findings are written (engine.lab.balance_report).
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import partial
from itertools import product

from tqdm import tqdm

from engine.errors import SettingError, UsageError
from engine.lab.balance import balances
from engine.lab.balance_report import BalanceReport
from engine.match.match import Schedule, pairings
from engine.match.record import Row
from engine.match.summary import pair_of
from engine.match.workers import Pairing, Plan, Series, single
from engine.review.judging import Bench, GameJudgement, judged
from engine.review.played import of_row, tells
from protocols.cli import study
from protocols.cli.options import Say

PAPER = ("alphazero", "mcts1", "mcts2", "mcts3", "mcts4", "minimax1", "minimax2", "random")
OPPONENTS = {  # by game, where nobody names any: AlphaDDA's eight, and in Go whoever there is
    "connect4": PAPER,
    "othello": PAPER,
    "go": ("alphazero", "level:1500", "level:700", "random", "first-legal"),
}
JUDGED_FILE = "judged.jsonl"
EPILOG = """\
Each persona plays so many games against every opponent, half of them with each color, from short
random openings that are played from both sides. Written are a persona's name (alphadda1, even,
softmax:1 ...) or any player of `sparring match`.

By default nothing is known before a game. With --remember the games against an opponent are one
series, played in order, and what was learned of the opponent goes from game to game.

|win-loss|: the distance of the shares of games won and lost, as in AlphaDDA's table, with its 95%
interval: Wilson's, of the points; of the mean the basic bootstrap's, which is of the true distance,
without what chance adds. Games of a series are taken for independent ones.
"as" a color: the share won less the share lost with it, in the mean's row without signs. "by
chance" is what players exactly even would come to. "paper": what AlphaDDA's paper has for it.

How it came about, by an independent judge that looks at --judged games an opponent: late positions
are solved, others searched with --judge-visits. "lost a move": how much win rate a side's move
gives away on average (in Othello and Go, points too); "reversals": how often the lead changed in a
game, and how often in its last fifth; "margin": the winner's final score; "natural": the geometric
mean probability of the persona's moves by the reference policy, and the share of moves under .05;
"distance": of its moves to the ones before.

examples:
  sparring lab balance connect4 alphadda1 alphadda2 alphadda3 --games 100 --output balance
  sparring lab balance othello8 even --games 400 --remember --also worst first-legal --output even8
"""


def configure(parser: argparse.ArgumentParser) -> None:
    """Adds the options of `sparring lab balance`."""
    study.configure(parser, games=100, visits=200)
    parser.epilog = EPILOG
    add = parser.add_argument
    add("personas", metavar="PERSONA", nargs="+", help="whose balance is measured")
    add("--against", metavar="PLAYER", nargs="+", help="instead of AlphaDDA's eight opponents")
    add("--also", metavar="PLAYER", nargs="+", default=[], help="opponents beside those")
    add("--remember", action="store_true", help="know the opponent from the games before")
    add("--judged", type=int, default=10, metavar="N",
        help="games an opponent that a judge looks at; default: %(default)s")  # fmt: skip
    add("--judge-visits", type=int, default=100, metavar="N", help="default: %(default)s")


def run(options: argparse.Namespace, say: Say) -> int:
    """Plays and judges the games, and shows the tables."""
    study.make_folder(options)
    if options.judged < 0 or options.judge_visits < 1:
        raise UsageError(f"--judged {options.judged} and --judge-visits {options.judge_visits}")
    game = study.start_of(options).game
    opponents = [*(options.against or OPPONENTS[game]), *options.also]
    names = [*options.personas, *opponents]
    plan = study.plan_of(options, [study.player_of(name) for name in names])
    personas = range(len(options.personas))
    pairs = tuple(product(personas, range(len(personas), len(names))))
    schedule = study.schedule_of(options, pairs, options.games)
    rows = study.play(
        plan,
        partial(series_left, schedule, plan, remember=options.remember),
        study.header_of(options, plan, remember=options.remember),
        options,
        games=options.games * len(pairs),
    )
    opinions = judge(plan, rows, options)
    findings = BalanceReport(plan.board, balances(rows, names), opinions, options.remember)
    say(json.dumps(findings.values()) if options.json else "\n".join(findings.lines()))
    if options.output is not None:
        findings.write(options.output)
    return 0


def series_left(
    schedule: Schedule, plan: Plan, rows: Sequence[Row], *, remember: bool
) -> list[Series]:
    """The games not played yet; in series, an opponent each, where players remember."""
    played = {int(row["game"]) for row in rows}
    if not remember:
        left = pairings(schedule, plan.board, played)
        return [single(replace(pairing, known=(None, None))) for pairing in left]
    every = list(pairings(schedule, plan.board, set()))
    found = []
    for pair in schedule.pairs:
        course = [pairing for pairing in every if pairing.pair == pair]
        known = sorted((row for row in rows if pair_of(row) == pair), key=lambda row: row["game"])
        found.append(Series(partial(next_of, course), tuple(known)))
    return [each for each in found if len(each.rows) < schedule.rounds]


def next_of(course: Sequence[Pairing], rows: Sequence[Row]) -> Pairing | None:
    """The game after those rows, known what was known after the last of them."""
    if len(rows) == len(course):
        return None
    known = rows[-1]["known"] if rows else (None, None)
    return replace(course[len(rows)], known=(known[0], known[1]), keep=True)


def judge(plan: Plan, rows: Sequence[Row], options: argparse.Namespace) -> dict[int, GameJudgement]:
    """What judges think of some games, by number; kept in the folder, gone on with there."""
    wanted = sample(rows, options.judged)
    if not wanted:
        return {}
    if options.output is None:
        return dict(_judged(plan, wanted, options))
    header = {"judged": plan.board.name, "visits": options.judge_visits}
    with study.opened(options.output / JUDGED_FILE, header) as record:
        found = {int(row["game"]): GameJudgement.of(row) for row in record.rows}
        missing = [row for row in wanted if row["game"] not in found]
        for game, opinion in _judged(plan, missing, options):
            record.append(opinion.row(game))
            found[game] = opinion
    return found


def _judged(
    plan: Plan, rows: Sequence[Row], options: argparse.Namespace
) -> Iterator[tuple[int, GameJudgement]]:
    bench = Bench(options.judge_visits, plan.networks)
    games = [of_row(plan.board, row) for row in rows]
    try:
        yield from tqdm(
            zip(
                [int(row["game"]) for row in rows],
                judged(bench, games, options.at_once),
                strict=True,
            ),
            total=len(rows),
            unit="game",
            desc="judging",
            disable=options.quiet,
            file=sys.stderr,
        )
    except SettingError as error:
        raise UsageError(str(error)) from error


def sample(rows: Sequence[Row], games: int) -> list[Row]:
    """So many games of each pair, spread evenly, as many with each color where that may be."""
    by_pair: dict[tuple[int, int], list[Row]] = {}
    for row in rows:
        if tells(row):
            by_pair.setdefault(pair_of(row), []).append(row)
    found = []
    for of_pair in by_pair.values():
        twos = [of_pair[at : at + 2] for at in range(0, len(of_pair), 2)]
        wanted = min(len(twos), -(-games // 2))
        chosen = [twos[at * len(twos) // wanted] for at in range(wanted)]
        found += [row for two in chosen for row in two][:games]
    return found
