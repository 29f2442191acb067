"""The subcommand `sparring lab balance`: its options and its games.

engine.lab.balance computes the distances, engine.review.judging judges the games and
engine.lab.balance_report writes the findings.
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
from engine.review.bench import Bench
from engine.review.judging import GameJudgement, judged
from engine.review.played import of_row, tells
from protocols.cli import study
from protocols.cli.options import Say

PAPER = ("alphazero", "mcts1", "mcts2", "mcts3", "mcts4", "minimax1", "minimax2", "random")
OPPONENTS = {  # default opponents by game: AlphaDDA's eight, and five for Go
    "connect4": PAPER,
    "othello": PAPER,
    "go": ("alphazero", "level:1500", "level:700", "random", "first-legal"),
}
JUDGED_FILE = "judged.jsonl"
EPILOG = """\
Each persona plays --games games against every opponent, half of them with each color, from short
random openings; each opening is played with both colors. A PERSONA is a persona's name (alphadda1,
even, softmax:1 ...) or any player of `sparring match`.

By default a persona knows nothing of its opponent before a game. With --remember the games against
an opponent are one series, played in order, and the persona keeps its estimate from game to game.

|win-loss|: distance of the shares of games won and lost, as in AlphaDDA's table, with a 95%
interval: Wilson's interval of the points; for the mean, the basic bootstrap's interval of the true
distance, without the part of chance. Games of a series count as independent ones.
"as" a color: share won less share lost with it, in the mean's row without signs. "by chance": the
value of exactly even players. "paper": the value of AlphaDDA's paper.

An independent judge examines --judged games an opponent: it solves late positions and searches the
others with --judge-visits. "lost a move": mean win rate that a side's move gives away (in Othello
and Go, points too). "reversals": changes of the lead in a game, and in its last fifth. "margin":
the winner's final score. "natural": geometric mean probability of the persona's moves by the
reference policy, and the share of moves under .05. "distance": of its moves to the moves before.

examples:
  sparring lab balance connect4 alphadda1 alphadda2 alphadda3 --games 100 --output balance
  sparring lab balance othello8 even --games 400 --remember --also worst first-legal --output even8
"""


def configure(parser: argparse.ArgumentParser) -> None:
    """Adds the options of `sparring lab balance`."""
    study.configure(parser, games=100, visits=200)
    parser.epilog = EPILOG
    add = parser.add_argument
    add("personas", metavar="PERSONA", nargs="+", help="personas to measure")
    add("--against", metavar="PLAYER", nargs="+",
        help="opponents; default: AlphaDDA's eight, in Go five others")  # fmt: skip
    add("--also", metavar="PLAYER", nargs="+", default=[], help="further opponents")
    add("--remember", action="store_true", help="keep the estimate of an opponent between games")
    add("--judged", type=int, default=10, metavar="N",
        help="judged games an opponent, 0 for none; default: %(default)s")  # fmt: skip
    add("--judge-visits", type=int, default=100, metavar="N",
        help="visits of the judge's searches; default: %(default)s")  # fmt: skip


def run(options: argparse.Namespace, say: Say) -> int:
    """Plays and judges the games, and prints the tables."""
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
    """Returns the games left; where players remember, as one series for each opponent."""
    played = {int(row["game"]) for row in rows}
    if not remember:
        left = pairings(schedule, plan.board, played)
        return [single(replace(pairing, known=(None, None))) for pairing in left]
    every = list(pairings(schedule, plan.board, set()))
    unplayed = []
    for pair in schedule.pairs:
        games = [pairing for pairing in every if pairing.pair == pair]
        known = sorted((row for row in rows if pair_of(row) == pair), key=lambda row: row["game"])
        unplayed.append(Series(partial(next_of, games), tuple(known)))
    return [each for each in unplayed if len(each.rows) < schedule.rounds]


def next_of(games: Sequence[Pairing], rows: Sequence[Row]) -> Pairing | None:
    """Returns the game after those rows, with the estimates after the last row; None: none left."""
    if len(rows) == len(games):
        return None
    known = rows[-1]["known"] if rows else (None, None)
    return replace(games[len(rows)], known=(known[0], known[1]), keep=True)


def judge(plan: Plan, rows: Sequence[Row], options: argparse.Namespace) -> dict[int, GameJudgement]:
    """Returns the judgements of a sample of games, by game number, kept in the folder."""
    sampled = sample(rows, options.judged)
    if not sampled:
        return {}
    if options.output is None:
        return dict(_judged(plan, sampled, options))
    header = {"judged": plan.board.name, "visits": options.judge_visits}
    with study.opened(options.output / JUDGED_FILE, header) as record:
        judgements = {int(row["game"]): GameJudgement.of(row) for row in record.rows}
        missing = [row for row in sampled if row["game"] not in judgements]
        for game, opinion in _judged(plan, missing, options):
            record.append(opinion.row(game))
            judgements[game] = opinion
    return judgements


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
    """Returns up to `games` games of each pair, spread evenly, in twos of both colors."""
    by_pair: dict[tuple[int, int], list[Row]] = {}
    for row in rows:
        if tells(row):
            by_pair.setdefault(pair_of(row), []).append(row)
    chosen_rows = []
    for of_pair in by_pair.values():
        twos = [of_pair[at : at + 2] for at in range(0, len(of_pair), 2)]
        wanted = min(len(twos), -(-games // 2))
        chosen = [twos[at * len(twos) // wanted] for at in range(wanted)]
        chosen_rows += [row for two in chosen for row in two][:games]
    return chosen_rows
