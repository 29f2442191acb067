"""Pictures of measurements, drawn by matplotlib if it is installed."""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from engine.util.atomic_file import atomic_write
from engine.util.optional_modules import absent

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

log = logging.getLogger("sparring")

INCHES = (9.0, 4.5)
CELL_INCHES = 0.25  # least height of a row
SIGNS = ("o", "s", "D", "^")  # matplotlib's codes of the marks
GROUP = 0.8  # share of the axis that the bars of a group fill


@dataclass(frozen=True, slots=True)
class Bar:
    """One value with its interval, and the published value to compare with."""

    name: str
    value: float
    interval: tuple[float, float]  # low and high end
    published: float | None = None


@dataclass(frozen=True, slots=True)
class PlotLine:
    """Points with their errors, and the two ends of a fitted line."""

    name: str
    points: Sequence[tuple[float, float, float]]  # x, y, error (half the interval)
    fit: tuple[tuple[float, float], tuple[float, float]] | None = None  # (x, y) of both ends
    joined: bool = False  # whether lines join the points


@dataclass(frozen=True, slots=True)
class Mark:
    """A point of two values, each perhaps with an interval."""

    name: str
    group: str  # marks of one group share a sign
    x: float
    y: float
    across: tuple[float, float] | None = None  # interval of x, low and high end
    up: tuple[float, float] | None = None  # interval of y, low and high end


@dataclass(frozen=True, slots=True)
class Cells:
    """A table of numbers, some perhaps absent, with marked cells."""

    rows: Sequence[str]
    columns: Sequence[str]
    values: Mapping[tuple[int, int], float]  # values by (row, column)
    marks: Mapping[str, tuple[int, int]]  # name -> (row, column)


def save(path: Path, picture: Callable[[], Figure]) -> bool:
    """Writes a picture atomically; without matplotlib logs a warning and returns False."""
    try:
        figure = picture()
    except ModuleNotFoundError as error:
        log.warning("no picture %s: %s", path.name, absent(error.name))
        return False
    with atomic_write(path) as unfinished:
        figure.savefig(unfinished, format=path.suffix.removeprefix("."))
    return True


def blank(title: str) -> tuple[Figure, Axes]:
    """Returns an empty picture. Raises ModuleNotFoundError without matplotlib."""
    from matplotlib.figure import Figure  # noqa: PLC0415 - optional, and slow to import

    figure = Figure(figsize=INCHES, layout="constrained")
    axes = figure.subplots()
    axes.set_title(title)
    return figure, axes


def bars(groups: Mapping[str, Sequence[Bar]], title: str) -> Figure:
    """Draws the groups' bars side by side, by name, with a dash at the published value."""
    figure, axes = blank(title)
    width = GROUP / len(groups)
    names: list[str] = []
    for number, (group, row) in enumerate(groups.items()):
        names = [bar.name for bar in row]
        middles = np.arange(len(row)) + (number + 0.5) * width - GROUP / 2
        values = np.array([bar.value for bar in row])
        ends = np.array([bar.interval for bar in row]).T
        errors = np.maximum(0.0, [values - ends[0], ends[1] - values])
        axes.bar(middles, values, width, yerr=errors, label=group, capsize=2)
        for middle, bar in zip(middles, row, strict=True):
            if bar.published is not None:
                axes.hlines(bar.published, middle - width / 2, middle + width / 2, colors="black")
    axes.set_xticks(range(len(names)), names, rotation=20)
    axes.set_ylim(0, 1)
    axes.legend()
    return figure


def lines(series: Sequence[PlotLine], title: str, x: str, y: str) -> Figure:
    """Draws points with their errors and the fitted lines. x, y: labels of the axes."""
    figure, axes = blank(title)
    for line in series:
        across, up, errors = np.array(line.points, dtype=float).T
        kind = "o-" if line.joined else "o"
        drawn = axes.errorbar(across, up, yerr=errors, fmt=kind, capsize=2, label=line.name)
        if line.fit is not None:
            axes.plot(*np.array(line.fit).T, color=drawn.lines[0].get_color())
    axes.set_xlabel(x)
    axes.set_ylabel(y)
    if series:
        axes.legend()
    return figure


def marks(points: Sequence[Mark], title: str, x: str, y: str) -> Figure:
    """Draws marks with their intervals; a name has one color, a group one sign."""
    figure, axes = blank(title)
    names = list(dict.fromkeys(mark.name for mark in points))
    groups = list(dict.fromkeys(mark.group for mark in points))
    for mark in points:
        sign = SIGNS[groups.index(mark.group) % len(SIGNS)]
        axes.errorbar(
            mark.x,
            mark.y,
            xerr=_beyond(mark.x, mark.across),
            yerr=_beyond(mark.y, mark.up),
            fmt=sign,
            color=f"C{names.index(mark.name) % 10}",
            capsize=2,
            label=mark.name if len(groups) < 2 else f"{mark.name}, {mark.group}",
        )
    axes.set_xlabel(x)
    axes.set_ylabel(y)
    if points:
        figure.legend(loc="outside right upper")
    return figure


def _beyond(value: float, ends: tuple[float, float] | None) -> list[list[float]] | None:
    """Returns the distances from the value to both ends, [2][1] as matplotlib's errors."""
    return None if ends is None else [[max(0.0, value - ends[0])], [max(0.0, ends[1] - value)]]


def heat(cells: Cells, title: str, x: str, y: str, value: str) -> Figure:
    """Draws the table as colors, with a sign on each marked cell. value: label of the colors."""
    figure, axes = blank(title)
    figure.set_figheight(max(INCHES[1], 2 + CELL_INCHES * len(cells.rows)))
    table = np.full((len(cells.rows), len(cells.columns)), np.nan)
    for place, number in cells.values.items():
        table[place] = number
    image = axes.imshow(table, aspect="auto", cmap="viridis")
    figure.colorbar(image, label=value)
    for sign, (name, (row, column)) in zip(SIGNS, cells.marks.items(), strict=False):
        axes.plot(column, row, sign, color="red", fillstyle="none", markersize=12, label=name)
    axes.set_xticks(range(len(cells.columns)), cells.columns, rotation=60)
    axes.set_yticks(range(len(cells.rows)), cells.rows)
    axes.set_xlabel(x)
    axes.set_ylabel(y)
    if cells.marks:
        figure.legend(loc="outside upper right")
    return figure
