"""The subcommand `sparring lab darkchess`: DarkKnight's settings on the solved 2x4 board.

engine.lab.dark_chess_metrics measures; engine.lab.dark_chess_published has the thesis's figures.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from tqdm import tqdm

from engine._core import SolvedDarkChess
from engine.agents.dark_knight import read_setting
from engine.errors import UsageError
from engine.games.dark_chess import SETS_2X4
from engine.lab.dark_chess_metrics import (
    SettingMetrics,
    baseline,
    example_positions,
    short_name,
    start_of,
    uniform,
)
from engine.lab.dark_chess_published import (
    CORRELATIONS,
    PublishedRow,
    published_metrics,
    read_published,
    regression,
)
from engine.match.tally import Tally
from engine.report.tables import aligned
from protocols.cli.argument_types import count
from protocols.cli.options import Say

ABSOLUTE = "WR_OPT"  # the thesis's measure of strength
FEWEST_SETTINGS = 3  # of a correlation
EPILOG = """\
A setting is a number of simulations, then techniques with their constants, by the names of Hsueh's
thesis (2019): 1000, 30000,EPT,eps=0.1, 1000,PB,H=B+C,c_PB=0.01,IMB,w=0.3. The techniques are EPT,
IMB, SL, TSQ and PB; C is the exploration. "all" is all settings of the table of --published.

"WR_X": share of points against X, and half of its 95% interval. "PR_BEST": share of positions with
a best action chosen. "MSE_TH": mean squared error of the root's value, times 1/4. "thesis": the
figure of --published for the same setting. That table is a CSV file with the columns technique
("none" for none), simulations, parameters, and one column a metric. With three settings or more,
the correlations with WR_OPT follow.

example:
  sparring lab darkchess 100 1000 1000,PB,c_PB=0.01 --games 20 --against OPT 1000
"""


def configure(parser: argparse.ArgumentParser) -> None:
    """Adds the options of `sparring lab darkchess`."""
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    parser.epilog = EPILOG
    add = parser.add_argument
    add("settings", nargs="+", metavar="SETTING", help='settings, see below, or "all"')
    add("--published", type=Path, metavar="FILE",
        help="table of published settings and their metrics, as CSV")  # fmt: skip
    add("--against", nargs="+", default=["OPT"], metavar="X",
        help="OPT, EMM (expectiminimax), or settings; default: OPT")  # fmt: skip
    add("--materials", nargs="+", default=SETS_2X4, metavar="M",
        help="materials of each side such as PPPP; default: the thesis's 24")  # fmt: skip
    add("--games", type=count, default=20, metavar="N",
        help="games of each material against each X; default: %(default)s")  # fmt: skip
    add("--test-games", type=count, default=2, metavar="N",
        help="games of a material with predicted positions; default: %(default)s")  # fmt: skip
    add("--generator", default="1000", metavar="X",
        help="their player: random, OPT, EMM or a setting; default: %(default)s")  # fmt: skip
    add("--quiet-limit", type=int, default=180, metavar="N",
        help="quiet moves that make a draw, 0: no number; default: %(default)s")  # fmt: skip
    add("--repetitions", type=int, default=0, metavar="N",
        help="equal positions that make a draw, 0: no number; default: %(default)s")  # fmt: skip
    add("--seed", type=int, default=1, metavar="S", help="seed of all games; default: %(default)s")
    add("--json", action="store_true", help="print one JSON object")
    add("--quiet", action="store_true", help="no progress bar")


def run(options: argparse.Namespace, say: Say) -> int:
    """Measures the settings and prints them beside the thesis's figures."""
    try:
        published = [] if options.published is None else read_published(options.published)
        texts = list(_texts(options.settings, published))
        names = list(dict.fromkeys(options.against))
        rows = [SettingMetrics(read_setting(text), dict.fromkeys(names, Tally())) for text in texts]
        _measure(rows, options)
    except (OSError, ValueError) as error:
        raise UsageError(str(error)) from error
    if options.json:
        say(json.dumps([_values(row, published) for row in rows]))
        return 0
    for line in aligned(list(_table(rows, published))):
        say(line)
    for line in _correlations(rows):
        say(line)
    return 0


def _texts(words: Sequence[str], published: Sequence[PublishedRow]) -> Iterator[str]:
    """Yields the settings, with those of the published table in place of "all"."""
    for word in words:
        if word != "all":
            yield word
        elif published:
            yield from (row.setting.text for row in published)
        else:
            raise ValueError('"all" needs --published FILE with the settings')


def _measure(rows: Sequence[SettingMetrics], options: argparse.Namespace) -> None:
    """Plays and predicts, one solved material after another."""
    total = len(rows) * len(options.materials)
    with tqdm(total=total, unit="run", disable=options.quiet, file=sys.stderr) as bar:
        for number, material in enumerate(options.materials):
            start = start_of(
                material, quiet_limit=options.quiet_limit, repetitions=options.repetitions
            )
            solution = SolvedDarkChess(start)
            seed = options.seed + 1_000_000 * number
            random_games = options.generator == "random"
            player = uniform if random_games else baseline(options.generator, solution)
            positions = example_positions(player, start, options.test_games, seed)
            for row in rows:
                row.play(solution, start, options.games, seed)
                row.predict(solution, positions, seed)
                bar.update()


def _table(
    rows: Sequence[SettingMetrics], published: Sequence[PublishedRow]
) -> Iterator[list[str]]:
    names = list(rows[0].metrics)
    yield ["setting", *(text for name in names for text in (name, "thesis"))]
    for row in rows:
        figures = published_metrics(published, row.setting)
        cells = [row.setting.text]
        for name, value in row.metrics.items():
            other = figures.get(name)
            places = 4 if name == "MSE_TH" else 2
            cells += [
                f"{value:.{places}f}{_spread(row, name)}",
                "-" if other is None else f"{other:.{places}f}",
            ]
        yield cells


def _spread(row: SettingMetrics, metric: str) -> str:
    """Returns half of a win rate's interval as text; nothing for another metric."""
    for name, tally in row.tallies.items():
        if metric == f"WR_{short_name(name)}":
            low, high = tally.interval()
            return f" +-{50 * (high - low):.2f}"
    return ""


def _correlations(rows: Sequence[SettingMetrics]) -> Iterator[str]:
    """Yields the correlation of each metric with WR_OPT, beside the thesis's."""
    metrics = [row.metrics for row in rows]
    if len(metrics) < FEWEST_SETTINGS or ABSOLUTE not in metrics[0]:
        return
    yield ""
    for name in metrics[0]:
        if name == ABSOLUTE:
            continue
        try:
            fit = regression([(each[name], each[ABSOLUTE]) for each in metrics])
        except ValueError:
            continue
        published = CORRELATIONS.get(name)
        other = f", thesis {published[0]:.4f}, s {published[1]:.2f}" if published else ""
        yield f"{name}: r {fit.correlation:.4f}, s {fit.error:.2f}{other}"


def _values(row: SettingMetrics, published: Sequence[PublishedRow]) -> dict[str, Any]:
    """Returns a row as JSON values."""
    return {
        "setting": row.setting.text,
        "metrics": row.metrics,
        "thesis": published_metrics(published, row.setting),
        "games": {name: tally.games for name, tally in row.tallies.items()},
        "positions": row.positions,
    }
