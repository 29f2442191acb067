"""The subcommand `sparring lab tune`: AlphaDDA's grid search for the constants that balance best.

engine.strength.alphadda_grids holds the paper's constants, engine.lab.tuning grades them.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator, Sequence
from functools import partial
from itertools import product
from typing import TYPE_CHECKING

from engine.errors import UsageError
from engine.games.table import Board
from engine.lab.tuning import TuningGrade, difference, grades
from engine.report.pictures import Cells, heat, save
from engine.report.tables import aligned, write_csv
from engine.strength.alphadda import Constants, published, read_constants, write_constants
from engine.strength.alphadda_grids import GRIDS, KINDS, OPPONENTS, grid
from engine.util.atomic_file import atomic_write
from protocols.cli import study
from protocols.cli.balance import series_left
from protocols.cli.options import Say

if TYPE_CHECKING:
    from matplotlib.figure import Figure

SHOWN = 20  # points of the grid in the table
PICTURE = "tune.png"
EPILOG = """\
Every point of the paper's grid (Fujita 2022, tables A2 to A4) plays --games games with each color
against each of AlphaZero, MCTS1, MCTS2, Minimax1 and Random. The best constants have the least D,
the sum of |wins - losses| over opponents and colors. "by chance" is the D of exactly even players:
points that differ by less are alike.

A grid has 25 to 240 points: with 20 games, 5,000 to 48,000 games. All points play a round before
any point plays the next. A stopped search has therefore graded all points alike; with --output it
continues there.

examples:
  sparring lab tune alphadda3 connect4 --output tune3
  sparring lab tune alphadda1 othello6 --games 5 --points 4,1.4,-1.6,200 3,1.4,-1.6,200
"""


def configure(parser: argparse.ArgumentParser) -> None:
    """Adds the options of `sparring lab tune`."""
    parser.add_argument("persona", choices=sorted(GRIDS), help="persona to tune")
    study.configure(parser, games=20, visits=200)
    parser.epilog = EPILOG
    parser.add_argument(
        "--points", metavar="CONSTANTS", nargs="+", help="constants; default: the paper's grid"
    )


def run(options: argparse.Namespace, say: Say) -> int:
    """Plays the games and prints the constants in the order of D."""
    study.make_folder(options)
    start = study.start_of(options)
    points = points_of(options, start.board)
    players = [
        *(f"sparring:{options.persona}:{point}" for point in points),
        *map(study.player_of, OPPONENTS),
    ]
    plan = study.plan_of(options, players)
    pairs = tuple(product(range(len(points)), range(len(points), len(players))))
    schedule = study.schedule_of(options, pairs, 2 * options.games)
    rows = study.play(
        plan,
        partial(series_left, schedule, plan, remember=False),
        study.header_of(options, plan),
        options,
        games=2 * options.games * len(pairs),
    )
    graded = grades(rows, points, OPPONENTS)
    papers = write_constants(constants_published(options.persona, start.board))
    values = [grade.values() for grade in graded]
    say(json.dumps(values) if options.json else "\n".join(lines(graded, papers)))
    if options.output is not None:
        write(options, graded)
        title = f"{options.persona} on {start.name}"
        save(options.output / PICTURE, partial(picture, options.persona, graded, papers, title))
    return 0


def points_of(options: argparse.Namespace, board: Board) -> list[str]:
    """Returns the constants to be graded, as text; raises UsageError."""
    if options.points is None:
        return [write_constants(constants) for constants in grid(options.persona, board)]
    kind = KINDS[options.persona]
    try:
        graded = [write_constants(read_constants(kind, text)) for text in options.points]
    except ValueError as error:
        raise UsageError(str(error)) from error
    if len(set(graded)) < len(graded):
        raise UsageError(f"--points {' '.join(options.points)} names constants twice")
    return graded


def constants_published(persona: str, board: Board) -> Constants:
    """Returns the paper's constants for the board."""
    row = published(board)
    chosen = {
        type(constants): constants for constants in (row.simulations, row.damage, row.balance)
    }
    return chosen[KINDS[persona]]


def lines(graded: Sequence[TuningGrade], papers: str) -> Iterator[str]:
    """Yields the table of the best points and the paper's choice."""
    heads = ["", "constants", "D", "by chance", *OPPONENTS]
    rows = [
        _cells(place, grade, papers)
        for place, grade in enumerate(graded, 1)
        if place <= SHOWN or grade.text == papers
    ]
    yield from aligned([heads, *rows])
    yield ""
    yield "opponents: wins less losses as the first player, as the second; *: the paper's choice"


def _cells(place: int, grade: TuningGrade, papers: str) -> list[str]:
    bouts = {bout.opponent: bout for bout in grade.balance.bouts}
    marked = f"{grade.text}*" if grade.text == papers else grade.text
    return [
        str(place),
        marked,
        str(grade.metric),
        f"{grade.by_chance:.0f}",
        *(
            f"{difference(bouts[name], 0):+d} {difference(bouts[name], 1):+d}"
            if name in bouts
            else ""
            for name in OPPONENTS
        ),
    ]


def picture(persona: str, graded: Sequence[TuningGrade], papers: str, title: str) -> Figure:
    """Draws D over the grid, the first half of the constants down, the others across."""
    names = KINDS[persona].letters.split(",")
    down = (len(names) + 1) // 2
    points = [tuple(map(float, grade.text.split(","))) for grade in graded]
    rows, columns = sorted({p[:down] for p in points}), sorted({p[down:] for p in points})
    places = [(rows.index(point[:down]), columns.index(point[down:])) for point in points]
    marks = {f"least D, {graded[0].text}": places[0]}
    marks |= {
        f"the paper's choice, {papers}": place
        for grade, place in zip(graded, places, strict=True)
        if grade.text == papers
    }
    cells = Cells(
        [_text(row) for row in rows],
        [_text(column) for column in columns],
        {place: grade.metric for grade, place in zip(graded, places, strict=True)},
        marks,
    )
    return heat(cells, title, ",".join(names[down:]), ",".join(names[:down]), "D")


def _text(constants: Sequence[float]) -> str:
    return ",".join(f"{value:g}" for value in constants)


def write(options: argparse.Namespace, graded: Sequence[TuningGrade]) -> None:
    """Writes the grades as tune.json and, a row for each point, as tune.csv."""
    values = [grade.values() for grade in graded]
    with atomic_write(options.output / "tune.json") as unfinished:
        unfinished.write_text(json.dumps(values, indent=1) + "\n")
    rows: list[dict[str, object]] = []
    for value in values:
        opponents = value.pop("opponents")
        named = {
            f"{name}_{place}": number
            for name, numbers in opponents.items()
            for place, number in zip(("first", "second"), numbers, strict=True)
        }
        rows.append({**value, **named})
    write_csv(options.output / "tune.csv", rows)
