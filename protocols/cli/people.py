"""The subcommand `sparring lab people`: levels of Go beside people of the same rank.

engine.lab.people measures the moves of both, engine.lab.people_games chooses the games of people.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, replace
from functools import partial

from tqdm import tqdm

from engine.errors import SettingError, UsageError
from engine.games.game_record import GameRecord
from engine.games.position import Position
from engine.games.ranks import rank_text
from engine.games.table import Board
from engine.lab.people import HEADS, JudgedMove, PlayerFindings, findings_of, judged_moves, picture
from engine.lab.people_games import PeopleGames
from engine.match.game_spec import handicap_moves
from engine.match.match import Schedule
from engine.networks.human_policy import HumanPolicy
from engine.report.pictures import save
from engine.report.tables import aligned, write_findings
from engine.review.bench import Bench
from engine.review.judging import of_report
from engine.review.played import of_row
from engine.search.report import MOVES_ALONE
from engine.training.go.records import SIZE
from engine.values import Limit
from protocols.cli import people_options, study
from protocols.cli.argument_types import count
from protocols.cli.options import Say

BOARD = Board("go", SIZE, SIZE)  # of the recorded games
KINDS = ("people", "level")
EPILOG = """\
The people play Black in recorded games of both players' ranks, with the commonest handicap of their
rank. `level:RANK` plays Black with the same handicap against the level of the opponents' median
rank. A judge's lead before and after each move of Black gives its loss in points.

"under 0.3", "P90", "P99": share of moves with a smaller loss, and quantiles of the losses.
"opening", "middle", "ending": mean losses of the first sixth of the board's points, up to five
twelfths, and later. "own policy": geometric mean probability of the moves by the human network at
that rank; "under .05": share of the moves with a smaller one. "likeliest rank": the one that the
moves of all games speak for most. "games with that": share of the games whose likeliest rank is the
own one or a neighbour of it.

example:
  sparring lab people 15k 10k 5k 1k 3d --human-games KGS --cache kgs.npz --output people
"""


def configure(parser: argparse.ArgumentParser) -> None:
    """Adds the options of `sparring lab people`."""
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    parser.epilog = EPILOG
    parser.set_defaults(game=BOARD.name, visits=None, no_openings=True, opening_plies=None)
    people_options.add_people(parser)
    add = parser.add_argument
    add("--games", type=count, default=40, metavar="N",
        help="games of people and of the level at each rank; default: %(default)s")  # fmt: skip
    add("--judge-network", metavar="FILE", help="the judge; default: the bundled network")
    add("--judge-visits", type=count, default=1, metavar="N",
        help="visits of the judge's searches; default: %(default)s")  # fmt: skip
    study.add_run_options(parser)


def run(options: argparse.Namespace, say: Say) -> int:
    """Plays, judges and compares the games, and prints the table."""
    study.make_folder(options)
    try:
        people = people_options.chosen_games(options)
        bench = Bench(options.judge_visits, network=options.judge_network)
        bench.load(BOARD)
    except (SettingError, ValueError) as error:
        raise UsageError(str(error)) from error
    pairs: dict[str, tuple[PlayerFindings, PlayerFindings]] = {}
    for rank, chosen in people:
        by_kind = (chosen.games, level_games(options, rank, chosen))
        found = [
            findings_of(
                f"{kind} {rank_text(rank)}",
                rank,
                list(judged(options, bench, f"{kind}-{rank_text(rank)}", games, chosen.opponent)),
                SIZE * SIZE,
            )
            for kind, games in zip(KINDS, by_kind, strict=True)
        ]
        pairs[rank_text(rank)] = (found[0], found[1])
    every = [found for pair in pairs.values() for found in pair]
    lines = list(aligned([HEADS, *(list(found.cells()) for found in every)]))
    values = [found.values() for found in every]
    say(json.dumps(values) if options.json else "\n".join(lines))
    if options.output is not None:
        write_findings(options.output, "people", lines, values)
        save(options.output / "people.png", lambda: picture(pairs))
    return 0


def level_games(
    options: argparse.Namespace, rank: float, people: PeopleGames
) -> Sequence[GameRecord]:
    """Returns the games of the level of a rank, Black as the people are; raises UsageError."""
    players = [study.player_of(f"level:{rank_text(each)}") for each in (rank, people.opponent)]
    plan = study.plan_of(options, players)
    if people.handicap:
        stones = handicap_moves(BOARD.game, SIZE, SIZE, people.handicap)
        plan = replace(plan, board=replace(plan.board, handicap=stones))
    schedule = Schedule(((0, 1),), options.games, options.seed, openings=False, swap=False)
    rows = study.play(
        plan,
        partial(study.games_left, schedule, plan.board),
        study.header_of(options, plan, handicap=people.handicap),
        options,
        games=options.games,
        file=f"games-{rank_text(rank)}.jsonl",
    )
    return [of_row(plan.board, row).game_record for row in rows]


def judged(
    options: argparse.Namespace,
    bench: Bench,
    name: str,
    games: Sequence[GameRecord],
    opponent: float,
) -> Iterator[list[JudgedMove]]:
    """Yields Black's judged moves of each game, kept in the folder."""
    people = HumanPolicy(bench.networks.network(bench.reference(BOARD)).evaluator)
    measure = partial(judged_moves, lead_of=lead_by(bench), people=people, opponent=opponent)
    bar = tqdm(games, unit="game", desc=name, disable=options.quiet, file=sys.stderr)
    if options.output is None:
        yield from map(measure, bar)
        return
    header = {
        "judged": name,
        "seed": options.seed,
        "visits": options.judge_visits,
        "network": bench.judge_name(BOARD),
    }
    with study.opened(options.output / f"judged-{name}.jsonl", header) as record:
        known = {int(row["game"]): row["moves"] for row in record.rows}
        for number, game in enumerate(bar):
            if number not in known:
                known[number] = [asdict(move) for move in measure(game)]
                record.append({"game": number, "moves": known[number]})
            yield [JudgedMove(**move) for move in known[number]]


def lead_by(bench: Bench) -> Callable[[Position], float]:
    """Returns a function of Black's lead in points in a position, by the judge's search."""
    search = bench.search(BOARD)

    def lead_of(position: Position) -> float:
        search.set_position(position)
        return of_report(search.run(Limit(visits=bench.visits), options=MOVES_ALONE))[1]

    return lead_of
