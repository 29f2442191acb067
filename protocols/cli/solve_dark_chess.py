"""Part of `sparring solve`: the 2x4 board of dark chess, by materials or by positions.

engine.search.dark_chess_solution reads the positions. Seconds are processor time.
"""

from __future__ import annotations

import argparse
import json
import time
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import Any

from engine._core import SolvedDarkChess
from engine.errors import UsageError
from engine.games.dark_chess import SETS_2X4
from engine.report import pictures
from engine.report.pictures import PlotLine
from engine.search.dark_chess_solution import (
    DarkChessProblem,
    ValueDistribution,
    read_problem,
    spelled_values,
    value_of,
)
from protocols.cli.options import Say

NAME = "darkchess2x4"
BINS = 40  # of the drawn distribution
HEADER = (
    f"{'material':8} {'value':>11} {'decimal':>9} {'0 to 1':>7} {'positions':>10} {'lost':>6} "
    f"{'drawn':>6} {'won':>6} {'values':>6} {'lookups':>9} {'seconds':>8}"
)


@dataclass(frozen=True, slots=True)
class DarkChessRow:
    """A problem with its values; of a start also the distribution over the positions of play."""

    problem: DarkChessProblem
    value: Fraction
    moves: dict[str, Fraction]  # the best first
    distribution: ValueDistribution | None
    lookups: int
    seconds: float

    @property
    def best(self) -> list[str]:
        """The best moves."""
        return [text for text, value in self.moves.items() if value == self.value]


def run(options: argparse.Namespace, say: Say) -> int:
    """Solves and reports the materials or positions; all 24 materials without any."""
    for name in ("positions", "random", "peer"):
        if getattr(options, name):
            raise UsageError(f"--{name} is for othello and connect4")
    try:
        problems = [read_problem(text) for text in options.texts or SETS_2X4]
    except ValueError as error:
        raise UsageError(str(error)) from error
    shows = not options.json
    if shows and any(problem.is_start for problem in problems):
        say(HEADER)
    rows = []
    for row in _solved(problems):
        rows.append(row)
        for line in _lines(row, all_moves=options.moves) if shows else ():
            say(line)
    if options.picture:
        _draw(rows, options.picture)
    if options.json:
        say(json.dumps({"game": NAME, "positions": [_values(row) for row in rows]}))
    return 0


def _solved(problems: list[DarkChessProblem]) -> Iterator[DarkChessRow]:
    """Yields the rows; a material is solved once for the problems in a row with it."""
    material, solution = "", None
    for problem in problems:
        began, lookups = time.process_time(), 0
        if solution is None or problem.material != material:
            solution, material = SolvedDarkChess(problem.position), problem.material
            lookups = solution.lookups
        seconds = time.process_time() - began
        position = problem.position
        moves = spelled_values(solution, position)
        distribution = ValueDistribution.of(solution) if problem.is_start else None
        value = value_of(solution, position)
        yield DarkChessRow(problem, value, moves, distribution, lookups, seconds)


def _lines(row: DarkChessRow, *, all_moves: bool) -> Iterator[str]:
    value = f"{row.value!s:>11} {float(row.value):>+9.5f}"
    if row.distribution is None:
        best = " ".join(row.best) or "-"
        yield f"{row.problem.text}: {row.value!s} ({float(row.value):+.5f}), best: {best}"
    else:
        lost, drawn, won = (
            row.distribution.share(each, each) for each in map(Fraction, (-1, 0, 1))
        )
        yield (
            f"{row.problem.material:8} {value} {float(1 + row.value) / 2:>7.4f} "
            f"{row.distribution.positions:>10} {lost:>6.1%} {drawn:>6.1%} {won:>6.1%} "
            f"{len(row.distribution.counts):>6} {row.lookups:>9} {row.seconds:>8.3f}"
        )
    if all_moves:
        moves = (f"{text}:{value!s}" for text, value in row.moves.items())
        yield f"{'':9}{' '.join(moves)}"


def _values(row: DarkChessRow) -> dict[str, Any]:
    """Returns a row as JSON values."""
    values: dict[str, Any] = {
        "position": row.problem.text,
        "material": row.problem.material,
        "value": str(row.value),
        "moves": {text: str(value) for text, value in row.moves.items()},
        "best": row.best,
        "lookups": row.lookups,
        "seconds": row.seconds,
    }
    if row.distribution is not None:
        values["reached"] = row.distribution.positions
        values["distribution"] = {
            str(value): count for value, count in row.distribution.counts.items()
        }
    return values


def _draw(rows: list[DarkChessRow], path: Path) -> None:
    """Draws the distributions of the materials as lines over the values."""
    middles = [-1 + (2 * number + 1) / BINS for number in range(BINS)]
    lines = [
        PlotLine(
            row.problem.material,
            [
                (middle, share, 0.0)
                for middle, share in zip(middles, row.distribution.histogram(BINS), strict=True)
            ],
            joined=True,
        )
        for row in rows
        if row.distribution is not None
    ]
    title = "Values of the positions of 2x4 dark chess"
    pictures.save(path, lambda: pictures.lines(lines, title, "value for the side to move", "share"))
