"""The subcommand `sparring lab frontier`: personas by balance and naturalness on one picture.

engine.lab.frontier computes the points.
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
from protocols.cli.argument_types import count
from protocols.cli.options import Say
from protocols.cli.review_options import add_reference_options, bench_of

if TYPE_CHECKING:
    from matplotlib.figure import Figure

HEADS = (
    *("", "against", "games", "opponent wins", "|win-loss|", "natural", "under .05", "likeliest"),
    *("distance", "margin"),
)
EPILOG = """\
Each persona has a point for every opponent: the balance of its games and the naturalness of its
moves. The records come from `sparring match --record` and `sparring lab balance --output`
(games.jsonl). In each pair the player named first is the persona and the other one the opponent,
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
    add("records", metavar="RECORD", nargs="+", type=Path, help="records of matches, see below")
    add("--against", metavar="PLAYER", nargs="+", default=[],
        help="the opponents; default: the second player of each pair")  # fmt: skip
    add("--balance", choices=list(BALANCES), default="win-loss",
        help="measure of the vertical axis; default: %(default)s")  # fmt: skip
    add("--natural", choices=list(NATURALS), default="unnatural",
        help="measure of the horizontal axis: the share of moves under .05, the geometric mean "
        "probability or the mean distance to the last move; default: %(default)s")  # fmt: skip
    add_reference_options(parser)
    add("--at-once", type=count, default=1, metavar="N",
        help="games at the same time; default: %(default)s")  # fmt: skip
    add("--output", type=Path, metavar="DIR", help="folder for the picture and the tables")
    add("--json", action="store_true", help="print the findings as JSON")
    add("--quiet", action="store_true", help="no progress bar")


def run(options: argparse.Namespace, say: Say) -> int:
    """Measures the games and prints the points."""
    try:
        if options.output is not None:
            options.output.mkdir(parents=True, exist_ok=True)
        matches = list(map(recorded, options.records))
        measured = points(
            matches,
            options.against,
            bench_of(options, None),
            at_once=options.at_once,
            quiet=options.quiet,
        )
    except (RecordFileError, SettingError) as error:
        raise UsageError(str(error)) from error
    say(json.dumps(values(matches, measured)) if options.json else "\n".join(table(measured)))
    if options.output is not None:
        write(options, matches, measured)
    return 0


def values(matches: Sequence[Recorded], measured: Sequence[FrontierPoint]) -> dict[str, object]:
    """Returns all findings as JSON values."""
    return {"game": matches[0].start.name, "points": [point.values() for point in measured]}


def table(measured: Sequence[FrontierPoint]) -> Iterator[str]:
    """Returns the lines of the table, one for each point."""
    return aligned([HEADS, *map(_cells, measured)])


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
    options: argparse.Namespace, matches: Sequence[Recorded], measured: Sequence[FrontierPoint]
) -> None:
    """Writes the table, the rows, the JSON and the picture."""
    folder: Path = options.output
    write_csv(folder / "frontier.csv", [flat(point.values()) for point in measured])
    write_findings(folder, "frontier", table(measured), values(matches, measured))
    title = f"{matches[0].start.name}: balance and naturalness"
    save(
        folder / "frontier.png", partial(picture, measured, options.balance, options.natural, title)
    )


def picture(measured: Sequence[FrontierPoint], balance: str, natural: str, title: str) -> Figure:
    """Draws the points with their intervals, a color for each persona, a sign for each opponent."""
    up, across = BALANCES[balance], NATURALS[natural]
    drawn = []
    for point in measured:
        x, y = across.of(point), up.of(point)
        if x is not None and y is not None:
            drawn.append(_mark(point, x, y))
    return marks(drawn, title, across.about, up.about)


def _mark(point: FrontierPoint, x: MeanEstimate, y: MeanEstimate) -> Mark:
    bout = point.bout
    return Mark(bout.persona, bout.opponent, x.value, y.value, x.interval, y.interval)
