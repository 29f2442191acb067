"""The subcommand `sparring lab index`: its options, its games and its table.

engine.lab.index fits the ratings and lines.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from engine.errors import UsageError
from engine.lab.index import (
    PAPER_ENDS,
    PAPER_ERROR,
    PAPER_SPAN,
    IndexCurve,
    curves,
    pairs_of,
    rungs_of,
)
from engine.match.game_spec import GameSpec
from engine.report.pictures import PlotLine, lines, save
from engine.report.tables import aligned, write_csv, write_findings
from protocols.cli import study
from protocols.cli.options import Say

if TYPE_CHECKING:
    from matplotlib.figure import Figure

INDICES = tuple(step / 2 for step in range(-4, 5))  # z
THRESHOLDS = (0.0, 0.1)  # R_th
FULL = "sparring:full --no-solver"  # the same search at full strength
EPILOG = """\
softmax:Z:R plays a move of N visits with a probability proportional to N^Z, among the moves with at
least R times the most visits. For each R every Z plays against its neighbours and against the best
move of the same search, --games games a pair. All ratings are fitted together; full strength is 0.
Intervals are 95% bootstrap intervals. "misses" is the root mean square distance of the points from
the line. Wu et al. (2019) report, with R 0.1 on 9x9 Go, a span of 830 Elo and 48 Elo of misses.

example:
  sparring lab index othello8 --games 40 --visits 100 --output index8
"""


def configure(parser: argparse.ArgumentParser) -> None:
    """Adds the options of `sparring lab index`."""
    study.configure(parser, games=40, visits=100)
    parser.epilog = EPILOG
    add = parser.add_argument
    add("--indices", type=float, nargs="+", default=INDICES, metavar="Z",
        help="strength indices; default: -2 to 2 in steps of 0.5")  # fmt: skip
    add("--thresholds", type=float, nargs="+", default=THRESHOLDS, metavar="R",
        help="least share of the most visits; default: 0 and 0.1")  # fmt: skip


def run(options: argparse.Namespace, say: Say) -> int:
    """Plays the games, fits ratings and lines, and prints them."""
    study.make_folder(options)
    for name, least in (("indices", 2), ("thresholds", 1)):
        numbers = getattr(options, name)
        if len(numbers) < least or len(set(numbers)) < len(numbers):
            raise UsageError(f"--{name} are {least} different ones or more, not {list(numbers)}")
    rungs = rungs_of(options.indices, options.thresholds, FULL)
    plan = study.plan_of(options, [rung.text for rung in rungs])
    measured = curves(rungs, study.play_pairs(options, plan, pairs_of(rungs)))
    say(json.dumps(values(plan.board, measured)) if options.json else "\n".join(table(measured)))
    if options.output is not None:
        write(options.output, plan.board, measured)
    return 0


def table(measured: Sequence[IndexCurve]) -> Iterator[str]:
    """Yields the table of the points and the lines."""
    heads = ["z"] + [f"R {curve.threshold:g}" for curve in measured]
    rows = [
        [f"{points[0].index:+g}", *(f"{point.elo:+.0f} +-{point.error:.0f}" for point in points)]
        for points in zip(*(curve.points for curve in measured), strict=True)
    ]
    fits = {
        "span": [str(curve.span) for curve in measured],
        "a unit of z": [str(curve.slope) for curve in measured],
        "at z = 0, by the line": [str(curve.at_zero) for curve in measured],
        "misses": [f"{curve.misses:.0f}" for curve in measured],
    }
    yield "Elo against full strength"
    yield from aligned([heads, *rows, *([name, *cells] for name, cells in fits.items())])
    low, high = PAPER_ENDS
    yield (
        f"Wu et al., R 0.1 on 9x9 Go: from {low:+.0f} to {high:+.0f}, span {PAPER_SPAN:.0f}, "
        f"misses {PAPER_ERROR:.0f}"
    )


def values(board: GameSpec, measured: Sequence[IndexCurve]) -> dict[str, object]:
    """Returns all findings as JSON values."""
    return {
        "game": board.name,
        "curves": [curve.values() for curve in measured],
        "paper": {"span": PAPER_SPAN, "misses": PAPER_ERROR, "ends": list(PAPER_ENDS)},
    }


def write(folder: Path, board: GameSpec, measured: Sequence[IndexCurve]) -> None:
    """Writes the table, the points, the JSON and a picture into the folder."""
    rows = [
        {"threshold": curve.threshold, "index": point.index, "elo": point.elo, "error": point.error}
        for curve in measured
        for point in curve.points
    ]
    write_csv(folder / "index.csv", rows)
    write_findings(folder, "index", table(measured), values(board, measured))
    save(folder / "index.png", partial(picture, board, measured))


def picture(board: GameSpec, measured: Sequence[IndexCurve]) -> Figure:
    """Draws the curves with their lines."""
    drawn = [
        PlotLine(
            f"R {curve.threshold:g}",
            [(point.index, point.elo, point.error) for point in curve.points],
            curve.ends(),
        )
        for curve in measured
    ]
    return lines(drawn, f"{board.name}: softmax strength index", "z", "Elo against full strength")
