"""The subcommand `sparring lab darkchess`: DarkKnight's settings on the solved 2x4 board.

engine.lab.dark_chess_study measures; engine.lab.dark_chess_published has the thesis's figures.
"""

from __future__ import annotations

import argparse
import json
import math
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import Any

from tqdm import tqdm

from engine.agents.dark_knight import read_setting
from engine.errors import UsageError
from engine.games.dark_chess import SETS_2X4
from engine.lab.dark_chess_metrics import Metric, Row, luck_shares, metrics_of
from engine.lab.dark_chess_pairs import pair_points, share_of
from engine.lab.dark_chess_published import (
    CORRELATIONS,
    PublishedRow,
    published_metrics,
    read_published,
    regression,
    true_correlation,
)
from engine.lab.dark_chess_study import Study, measured
from engine.match.record import MatchRecord
from engine.report.tables import aligned
from protocols.cli.argument_types import count
from protocols.cli.options import Say

ABSOLUTE = "WR_OPT"  # the thesis's measure of strength
FEWEST_SETTINGS = 3  # of a correlation
EPILOG = """\
A setting is a number of simulations, then techniques with their constants, by the names of Hsueh's
thesis (2019): 1000, 30000,EPT,eps=0.1, 1000,PB,H=B+C,c_PB=0.01,IMB,w=0.3. The techniques are EPT,
IMB, SL, TSQ and PB; C is the exploration, captures the probability that a playout captures if it
can. "all" is all settings of the table of --published.

"WR_X": share of points against X, the luck of flips taken out, and half of its 95% interval.
"PR_BEST", "PR_X": share of positions with a best action, or with X's action. "MSE_TH",
"MSE_GO_X": mean squared error of the root's value, from the solved one or from the results of X's
games with itself, times 1/4. "thesis": the figure of --published for the same setting. That table
is a CSV file with the columns technique ("none" for none), simulations, parameters, and one column
a metric. With three settings or more, the correlations with WR_OPT follow: r as measured, and
"true r" with the noise of our games taken out.

With --pairs the settings play on the whole board, 4x8, instead: pairs of games with one hidden
arrangement, each player once the first. X is then a setting.

With --output a stopped study continues; more rounds, settings and opponents may be added later.

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
    add("--against", nargs="*", default=["OPT"], metavar="X",
        help="OPT, EMM (expectiminimax), random, or settings; default: OPT")  # fmt: skip
    add("--materials", nargs="+", default=SETS_2X4, metavar="M",
        help="materials of each side such as PPPP; default: the thesis's 24")  # fmt: skip
    add("--games", type=count, default=20, metavar="N",
        help="games of each material against each X in a round, fewer for more than 1000 "
             "simulations, by their root; default: %(default)s")  # fmt: skip
    add("--most", nargs="+", type=_limit, default=[], metavar="X:N",
        help="only settings up to N simulations play against X")  # fmt: skip
    add("--positions", type=int, default=10, metavar="N",
        help="test positions of a material in a round; default: %(default)s")  # fmt: skip
    add("--generator", default="1000", metavar="X",
        help="their player: random, OPT, EMM or a setting; default: %(default)s")  # fmt: skip
    add("--experts", nargs="*", default=[], metavar="X", help="settings for PR_X; default: none")
    add("--outcomes", nargs="*", default=[], metavar="X",
        help="settings for MSE_GO_X; default: none")  # fmt: skip
    add("--rounds", type=count, default=1, metavar="N", help="rounds; default: %(default)s")
    add("--pairs", type=count, metavar="N", help="pairs of games on 4x8 instead of all else")
    add("--seed", type=int, default=1, metavar="S", help="seed of all games; default: %(default)s")
    add("--output", type=Path, metavar="FILE", help="record of the study, JSON lines")
    add("--json", action="store_true", help="print one JSON object")
    add("--quiet", action="store_true", help="no progress bar")


def _limit(text: str) -> tuple[str, int]:
    """Returns an opponent and a number of simulations; ValueError on another text."""
    name, _, number = text.rpartition(":")
    return name, int(number)


def run(options: argparse.Namespace, say: Say) -> int:
    """Measures the settings and prints them beside the thesis's figures."""
    try:
        published = [] if options.published is None else read_published(options.published)
        texts = list(_texts(options.settings, published))
        if options.pairs is not None:
            return _play_pairs(texts, options, say)
        study = _study(options, texts)
        rows = _measure(study, options)
    except (OSError, ValueError) as error:
        raise UsageError(str(error)) from error
    of_luck = luck_shares(rows)
    by_setting = {
        text: metrics_of((row for row in rows if row["setting"] == text), of_luck)
        for text in study.settings
    }
    by_setting = {text: metrics for text, metrics in by_setting.items() if metrics}
    if options.json:
        say(json.dumps([_values(*pair, published) for pair in by_setting.items()]))
        return 0
    for line in aligned(list(_table(by_setting, published))):
        say(line)
    for line in _correlations(by_setting):
        say(line)
    return 0


def _play_pairs(texts: Sequence[str], options: argparse.Namespace, say: Say) -> int:
    """Plays on the whole board, and prints each result as it comes."""
    settings, others = ([read_setting(text) for text in each] for each in (texts, options.against))
    for setting in settings:
        for other in others:
            share = share_of(list(pair_points(setting, other, options.pairs, options.seed)))
            half = None if math.isnan(share.half) else share.half
            if options.json:
                say(json.dumps({"setting": setting.text, "against": other.text,
                                "games": 2 * options.pairs, "points": share.value, "half": half})
                    )  # fmt: skip
                continue
            spread = "" if half is None else f" +-{half:.2f}"
            games = 2 * options.pairs
            say(f"{setting.text} against {other.text}: {share.value:.2f}%{spread}, {games} games")
    return 0


def _study(options: argparse.Namespace, texts: Sequence[str]) -> Study:
    for text in texts:
        read_setting(text)
    return Study(
        settings=texts, materials=options.materials, against=list(dict.fromkeys(options.against)),
        games=options.games, positions=options.positions, generator=options.generator,
        experts=options.experts, outcomes=options.outcomes, most_simulations=dict(options.most),
        rounds=options.rounds, seed=options.seed,
    )  # fmt: skip


def _texts(words: Sequence[str], published: Sequence[PublishedRow]) -> Iterator[str]:
    """Yields the settings, with those of the published table in place of "all"."""
    for word in words:
        if word != "all":
            yield word
        elif published:
            yield from (row.setting.text for row in published)
        else:
            raise ValueError('"all" needs --published FILE with the settings')


def _measure(study: Study, options: argparse.Namespace) -> list[Row]:
    """Returns the rows of the study, those of its record first."""
    header = {"study": "dark chess", "generator": study.generator, "seed": study.seed}
    with ExitStack() as stack:
        record = None
        if options.output is not None:
            record = stack.enter_context(MatchRecord(options.output, header))
        rows: list[Row] = [] if record is None else list(record.rows)
        bar = stack.enter_context(tqdm(unit="row", disable=options.quiet, file=sys.stderr))
        for row in measured(study, list(rows)):
            row["game"] = len(rows)
            if record is not None:
                record.append(row)
            rows.append(row)
            bar.update()
    return rows


def _table(
    by_setting: Mapping[str, Mapping[str, Metric]], published: Sequence[PublishedRow]
) -> Iterator[list[str]]:
    names = list(dict.fromkeys(name for metrics in by_setting.values() for name in metrics))
    yield ["setting", *(text for name in names for text in (name, "thesis"))]
    for text, metrics in by_setting.items():
        figures = published_metrics(published, read_setting(text))
        cells = [text]
        for name in names:
            metric, other, places = metrics.get(name), figures.get(name), 2 + 2 * ("MSE" in name)
            spread = "" if metric is None or math.isnan(metric.half) else f" +-{metric.half:.2f}"
            cells += [
                "-" if metric is None else f"{metric.value:.{places}f}{spread}",
                "-" if other is None else f"{other:.{places}f}",
            ]
        yield cells


def _correlations(by_setting: Mapping[str, Mapping[str, Metric]]) -> Iterator[str]:
    """Yields the correlation of each metric with WR_OPT, beside the thesis's."""
    metrics = [each for each in by_setting.values() if ABSOLUTE in each]
    if len(metrics) < FEWEST_SETTINGS:
        return
    yield ""
    for name in metrics[0]:
        points = [(each[name], each[ABSOLUTE]) for each in metrics if name in each]
        if name == ABSOLUTE:
            continue
        try:
            fit = regression([(x.value, y.value) for x, y in points])
        except ValueError:
            continue
        true = true_correlation(points)
        published = CORRELATIONS.get(name)
        other = f", thesis {published[0]:.4f}, s {published[1]:.2f}" if published else ""
        yield (
            f"{name}: r {fit.correlation:.4f}, true r {true:.4f}, s {fit.error:.2f}, "
            f"{len(points)} settings{other}"
        )


def _values(
    text: str, metrics: Mapping[str, Metric], published: Sequence[PublishedRow]
) -> dict[str, Any]:
    """Returns a setting's metrics as JSON values."""
    return {
        "setting": text,
        "metrics": {name: metric.value for name, metric in metrics.items()},
        "halves": {
            name: metric.half for name, metric in metrics.items() if not math.isnan(metric.half)
        },
        "thesis": published_metrics(published, read_setting(text)),
    }
