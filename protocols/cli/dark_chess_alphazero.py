"""The subcommand `sparring lab tabular`: tabular AlphaZero on the solved 2x4 board of dark chess.

engine.lab.dark_chess_alphazero runs it, and reads the thesis's runs.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Sequence
from pathlib import Path

from engine.errors import UsageError
from engine.games.dark_chess import new_position
from engine.lab.dark_chess_alphazero import (
    SYMMETRIES,
    TabularRow,
    TabularSetting,
    read_runs,
    run_of,
    values_of,
)
from engine.report import pictures
from engine.report.pictures import PlotLine
from protocols.cli.argument_types import count
from protocols.cli.options import Say

EPILOG = """\
Each row is an iteration: games of the engine with itself, then learning. "win": share of points of
the policy alone, without search, against best play. "AE": error of the start's value on 0..1.
"positions": learned from so far, images included; "seen": the different ones. "thesis": the same of
Hsueh's run (2019) with equal constants, from the table of --published, a CSV file with the columns
parameter, value, iteration, quantity, number.

example:
  sparring lab tabular --iterations 10 --c-puct 0.5 --picture run.png
"""


def configure(parser: argparse.ArgumentParser) -> None:
    """Adds the options of `sparring lab tabular`; the defaults are the thesis's."""
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    parser.epilog = EPILOG
    add, default = parser.add_argument, TabularSetting()
    add("--material", default="PPPP", metavar="M", help="of each side; default: %(default)s")
    add("--iterations", type=count, default=50, metavar="N", help="default: %(default)s")
    for name, text in (("simulations", "of a move"), ("games", "of an iteration"),
                       ("late-from", "first iteration with the late rate")):  # fmt: skip
        add(f"--{name}", type=count, default=getattr(default, name.replace("-", "_")),
            metavar="N", help=f"{text}; default: %(default)s")  # fmt: skip
    for name, text in (("c-puct", "exploration"), ("alpha", "of the root's noise"),
                       ("epsilon", "share of the noise"), ("tau", "temperature"),
                       ("rate", "of learning"), ("late-rate", "of learning later")):  # fmt: skip
        add(f"--{name}", type=float, default=getattr(default, name.replace("-", "_")),
            metavar="X", help=f"{text}; default: %(default)s")  # fmt: skip
    add("--symmetry", choices=list(SYMMETRIES), default=default.symmetry,
        help="images to learn from; default: %(default)s")  # fmt: skip
    add("--published", type=Path, metavar="FILE", help="table of published runs, as CSV")
    add("--picture", type=Path, metavar="FILE", help="draw win rates and errors (needs matplotlib)")
    add("--seed", type=int, default=1, metavar="S", help="default: %(default)s")
    add("--json", action="store_true", help="print one JSON object an iteration")


def run(options: argparse.Namespace, say: Say) -> int:
    """Runs, and prints each iteration beside the thesis's."""
    setting = TabularSetting(
        options.simulations, options.c_puct, options.alpha, options.epsilon, options.tau,
        options.symmetry, options.games, options.rate, options.late_rate, options.late_from,
    )  # fmt: skip
    try:
        published = {} if options.published is None else read_runs(options.published, setting)
        start = new_position(2, 4, options.material, quiet_limit=0, repetitions=0)
        rows = []
        if not options.json:
            say(f"{'iteration':>9}  {'win':>6} {'thesis':>6}  {'AE':>6} {'thesis':>6}  "
                f"{'positions':>10} {'thesis':>10}  {'seen':>7} {'thesis':>7}")  # fmt: skip
        for row in run_of(start, setting, options.iterations, options.seed):
            rows.append(row)
            figures = published.get(row.iteration, {})
            say(json.dumps(values_of(row) | {"thesis": figures}) if options.json
                else _line(row, figures))  # fmt: skip
    except (OSError, ValueError) as error:
        raise UsageError(str(error)) from error
    if options.picture is not None:
        _draw(rows, published, options.picture)
    return 0


def _line(row: TabularRow, figures: dict[str, float]) -> str:
    def other(name: str, form: str, width: int) -> str:
        return f"{format(figures[name], form) if name in figures else '-':>{width}}"

    return (
        f"{row.iteration:>9}  {row.win_rate:>6.2f} {other('win_rate', '.2f', 6)}  "
        f"{row.value_error:>6.4f} {other('AE', '.4f', 6)}  "
        f"{row.positions:>10} {other('positions', '.0f', 10)}  "
        f"{row.distinct:>7} {other('seen', '.0f', 7)}"
    )


def _draw(rows: Sequence[TabularRow], published: dict[int, dict[str, float]], path: Path) -> None:
    """Draws win rates and errors as shares, the thesis's beside ours."""
    lines = [
        PlotLine(
            "win rate", [(row.iteration, row.win_rate / 100, 0.0) for row in rows], joined=True
        ),
        PlotLine(
            "error of the start's value",
            [(row.iteration, row.value_error, 0.0) for row in rows],
            joined=True,
        ),
    ]
    for name, quantity, scale in (("win rate", "win_rate", 100), ("error", "AE", 1)):
        points = [
            (iteration, each[quantity] / scale, 0.0)
            for iteration, each in published.items()
            if quantity in each and iteration <= rows[-1].iteration
        ]
        if points:
            lines.append(PlotLine(f"{name}, thesis", points))
    title = "Tabular AlphaZero on 2x4 dark chess against best play"
    pictures.save(path, lambda: pictures.lines(lines, title, "iteration", "share"))
