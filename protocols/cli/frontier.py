"""The subcommand `sparring lab frontier`: personas by balance and naturalness on one picture.

Knows its options and how points are written. Does not know how they are reckoned
(engine.lab.frontier).
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from engine.errors import SettingError, UsageError
from engine.lab.frontier import BALANCES, NATURALS, FrontierPoint, points
from engine.match.record import RecordFileError
from engine.match.recorded import Recorded, recorded
from engine.report.pictures import Mark, marks, save
from engine.report.tables import aligned, flat, write_csv, write_findings
from engine.style.measures import MeanEstimate, interval_text
from engine.util.argument_types import count
from protocols.cli.options import Say
from protocols.cli.review_options import add_reference_options, bench_of

if TYPE_CHECKING:
    from matplotlib.figure import Figure

HEADS = (
    *("", "against", "games", "opponent wins", "|win-loss|", "natural", "under .05", "likeliest"),
    *("distance", "margin"),
)
EPILOG = """\
Each persona is a point for every opponent that it met: how even the games were, and how natural its
moves. The records are those of `sparring match --record` and of `sparring lab balance --output`
(games.jsonl). In each pair the player named first is the persona and the other the opponent,
unless --against names the opponents. Games of the same two players in several records are counted
together. Measures and intervals are those of `sparring lab balance` and `sparring review`.

example:
  sparring match go13 sparring:naive gtp:gnugo --games 200 --visits 100 --record naive.jsonl
  sparring match go13 sparring:even gtp:gnugo --games 200 --visits 100 --record even.jsonl
  sparring lab frontier naive.jsonl even.jsonl --output frontier13
"""


def configure(parser: argparse.ArgumentParser) -> None:
    """Adds the options of `sparring lab frontier`."""
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    parser.epilog = EPILOG
    add = parser.add_argument
    add("records", metavar="RECORD", nargs="+", type=Path, help="of matches, see below")
    add("--against", metavar="PLAYER", nargs="+", default=[], help="who the opponents are")
    add("--balance", choices=list(BALANCES), default="win-loss",
        help="what runs up the picture; default: %(default)s")  # fmt: skip
    add("--natural", choices=list(NATURALS), default="unnatural",
        help="what runs to the right: the share of moves under .05, the geometric mean probability "
        "or the mean distance to the last move; default: %(default)s")  # fmt: skip
    add_reference_options(parser)
    add("--at-once", type=count, default=1, metavar="N",
        help="games at the same time; default: %(default)s")  # fmt: skip
    add("--output", type=Path, metavar="DIR", help="the picture and the table")
    add("--json", action="store_true", help="print the findings as JSON")
    add("--quiet", action="store_true", help="no progress bar")


def run(options: argparse.Namespace, say: Say) -> int:
    """Measures the games and shows the points."""
    try:
        if options.output is not None:
            options.output.mkdir(parents=True, exist_ok=True)
        matches = list(map(recorded, options.records))
        found = points(
            matches,
            options.against,
            bench_of(options, None),
            at_once=options.at_once,
            quiet=options.quiet,
        )
    except (RecordFileError, SettingError) as error:
        raise UsageError(str(error)) from error
    say(json.dumps(values(matches, found)) if options.json else "\n".join(table(found)))
    if options.output is not None:
        write(options, matches, found)
    return 0


def values(matches: Sequence[Recorded], found: Sequence[FrontierPoint]) -> dict[str, object]:
    """Everything, as JSON values."""
    return {"game": matches[0].start.name, "points": [point.values() for point in found]}


def table(found: Sequence[FrontierPoint]) -> Iterator[str]:
    """The points for people."""
    return aligned([HEADS, *map(_cells, found)])


def _cells(point: FrontierPoint) -> list[str]:
    side = point.review.side
    return [
        point.bout.persona,
        point.bout.opponent,
        str(point.bout.tally().games),
        point.opponent_wins.text(".1%"),
        point.win_loss.text(".2f"),
        interval_text(side.natural, ".3f"),
        interval_text(side.unnatural, ".1%"),
        interval_text(side.first, ".1%"),
        interval_text(side.distance, ".2f"),
        interval_text(point.review.margin, ".1f"),
    ]


def write(
    options: argparse.Namespace, matches: Sequence[Recorded], found: Sequence[FrontierPoint]
) -> None:
    """Writes the table, the rows, the JSON and the picture."""
    folder: Path = options.output
    write_csv(folder / "frontier.csv", [flat(point.values()) for point in found])
    write_findings(folder, "frontier", table(found), values(matches, found))
    title = f"{matches[0].start.name}: balance and naturalness"
    save(folder / "frontier.png", partial(picture, found, options.balance, options.natural, title))


def picture(found: Sequence[FrontierPoint], balance: str, natural: str, title: str) -> Figure:
    """The points with their intervals, a color a persona, a sign an opponent."""
    up, across = BALANCES[balance], NATURALS[natural]
    drawn = []
    for point in found:
        x, y = across.of(point), up.of(point)
        if x is not None and y is not None:
            drawn.append(_mark(point, x, y))
    return marks(drawn, title, across.about, up.about)


def _mark(point: FrontierPoint, x: MeanEstimate, y: MeanEstimate) -> Mark:
    bout = point.bout
    return Mark(bout.persona, bout.opponent, x.value, y.value, x.interval, y.interval)
