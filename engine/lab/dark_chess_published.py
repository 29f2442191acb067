"""The measured settings of Hsueh's thesis (2019, tables 10 and 11), and the fit of its analysis.

The settings come from a table in CSV that is not a part of the project. Its columns: technique,
simulations, parameters, and one column a metric. An empty cell has no value.
"""

from __future__ import annotations

import csv
import math
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import correlation, linear_regression, variance

from engine.agents.dark_knight import DarkKnightSetting, read_setting
from engine.lab.dark_chess_metrics import Metric
from engine.match.tally import Z_95

KEYS = ("technique", "simulations", "parameters")  # columns of the setting
# Correlations with WR_OPT, and the errors s in percent, as the thesis prints them.
CORRELATIONS = {
    "WR_EMM": (0.9633, 1.57),
    "WR_1k": (0.9790, 1.19),
    "WR_5k": (0.9880, 0.90),
    "WR_30k": (0.9922, 0.73),
    "PR_BEST": (0.9802, 1.16),
    "PR_1k": (0.5159, 5.00),
    "PR_1M": (0.9167, 2.33),
    "MSE_TH": (-0.9078, 2.45),
    "MSE_GO_1k": (-0.8881, 2.68),
    "MSE_GO_1M": (-0.9080, 2.45),
}


@dataclass(frozen=True, slots=True)
class PublishedRow:
    """A setting of the thesis with its metrics; win and prediction rates are in percent."""

    setting: DarkKnightSetting
    metrics: dict[str, float]


def read_published(path: Path) -> list[PublishedRow]:
    """Returns the settings of a table in its order.

    Raises OSError for a file that cannot be read, ValueError for another table.
    """
    rows = []
    with path.open(newline="") as file:
        for number, cells in enumerate(csv.DictReader(file), start=1):
            try:
                rows.append(_row(cells))
            except (KeyError, TypeError, ValueError) as error:
                raise ValueError(f"{path}: row {number}: {error}") from error
    return rows


def _row(cells: dict[str, str]) -> PublishedRow:
    """Returns a row; KeyError, TypeError or ValueError for another one."""
    if None in cells.values():
        raise ValueError("too few cells")
    technique = "" if cells["technique"] == "none" else f",{cells['technique']}"
    constants = f",{cells['parameters']}" if cells["parameters"] else ""
    setting = read_setting(f"{cells['simulations']}{technique}{constants}")
    metrics = {name: float(text) for name, text in cells.items() if name not in KEYS and text}
    return PublishedRow(setting, metrics)


def published_metrics(rows: Sequence[PublishedRow], setting: DarkKnightSetting) -> dict[str, float]:
    """Returns the metrics of a setting; none for a setting that the rows lack."""
    for row in rows:
        if row.setting.key == setting.key:
            return row.metrics
    return {}


@dataclass(frozen=True, slots=True)
class Regression:
    """A least-squares line y = intercept + slope * x, and how well it fits."""

    correlation: float  # Pearson's r
    intercept: float
    slope: float
    error: float  # s: the root of the squared residuals over n - 2


def regression(points: Sequence[tuple[float, float]]) -> Regression:
    """Returns the line through at least three (x, y) with different x and different y.

    Raises ValueError on other points.

    >>> fit = regression([(1, 4), (3, 6), (5, 10), (5, 12), (6, 13)])
    >>> f"{fit.correlation:.4f} {fit.intercept:.3f} {fit.slope:.3f} {fit.error:.4f}"
    '0.9682 1.500 1.875 1.1180'
    """
    number = len(points)
    xs, ys = [x for x, _ in points], [y for _, y in points]
    if number < 3 or len(set(xs)) == 1 or len(set(ys)) == 1:
        raise ValueError(f"{number} points, or equal ones, have no line and error")
    slope, intercept = linear_regression(xs, ys)
    residuals = sum((y - intercept - slope * x) ** 2 for x, y in points)
    return Regression(correlation(xs, ys), intercept, slope, math.sqrt(residuals / (number - 2)))


def true_correlation(points: Sequence[tuple[Metric, Metric]]) -> float:
    """Returns the correlation of two metrics without the noise of games (Spearman 1904).

    Each variance is lessened by the mean square of the standard errors. A metric without an
    interval has no noise to take out. The result is within -1..1; nan where the noise alone
    explains a variance.
    """
    observed = regression([(x.value, y.value) for x, y in points]).correlation
    shares = []
    for metrics in zip(*points, strict=True):
        noise = [0.0 if math.isnan(each.half) else (each.half / Z_95) ** 2 for each in metrics]
        shares.append(1 - sum(noise) / len(noise) / variance([each.value for each in metrics]))
    if min(shares) <= 0:
        return math.nan
    return max(-1.0, min(1.0, observed / math.sqrt(shares[0] * shares[1])))
