"""Pictures of runs from metrics.jsonl: a panel a quantity, a color a run.

PANELS has the quantities with a panel and their titles; an unknown number gets a panel by its own
name. The pictures come from the metrics alone.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from engine.errors import SettingError
from engine.training.common.metrics import NAME, Row, read_metrics

if TYPE_CHECKING:
    from matplotlib.artist import Artist
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

Floats = NDArray[np.float64]

PICTURE = "curves.png"
UNSEEN = "unseen_"  # prefix of a loss on samples before they are learned
POINTS = "points_against_"  # prefix of an agent's name
COLUMNS = 3
PANEL_INCHES = (4.6, 2.9)
MEMORY = 0.2  # a line is the mean of this share of the steps so far, the latest ones


@dataclass(frozen=True)
class Panel:
    """The form of a quantity's panel."""

    title: str
    logarithmic: bool = False
    chosen: bool = False  # a setting, not a measurement: no average


# In the order of the picture; other quantities follow.
PANELS: dict[str, Panel] = {
    "policy": Panel("policy loss (nats)", logarithmic=True),
    "value": Panel("result loss (nats)", logarithmic=True),
    "squares": Panel("result loss (squares)", logarithmic=True),
    "human": Panel("surprise at human moves (nats)", logarithmic=True),
    "human_top1": Panel("share of human moves foretold"),
    "top1": Panel("share of moves foretold"),
    "reply": Panel("reply loss (nats)", logarithmic=True),
    "score_mean": Panel("score loss", logarithmic=True),
    "score_stdev": Panel("score deviation loss", logarithmic=True),
    "lead": Panel("lead loss", logarithmic=True),
    "variance_time": Panel("loss of the time of variance", logarithmic=True),
    "ownership": Panel("ownership loss", logarithmic=True),
    "black_loss": Panel("Black's loss", logarithmic=True),
    "white_loss": Panel("White's loss", logarithmic=True),
    POINTS: Panel("strength so far: points against {}"),
    "plies": Panel("moves a game"),
    "exact": Panel("share of exact rows"),
    "first_player": Panel("first player's points"),
    "draws": Panel("share of draws"),
    "target_entropy": Panel("entropy of the policy learned (nats)"),
    "black_wins": Panel("Black's points"),
    "learning_rate": Panel("learning rate", logarithmic=True, chosen=True),
    "exploration": Panel("share of random moves", chosen=True),
}
# Counts: possible x axes, and quantities without a panel.
COUNTS = (
    *("step", "seconds", "games", "positions", "batches", "window"),
    *("playing_seconds", "learning_seconds", "rows_a_game", "taught"),
)


@dataclass(frozen=True)
class CurveRun:
    """One run's numbers, by the name of its folder."""

    name: str
    rows: Sequence[Row]

    def line(self, name: str, by: str) -> tuple[Floats, Floats]:
        """Returns (x, y), both [rows] float64: `by` and `name` in the rows with both."""
        pairs = [(row[by], row[name]) for row in self.rows if by in row and name in row]
        x, y = np.array(pairs, dtype=float).reshape(-1, 2).T
        return x, y


def draw(folders: Sequence[Path], output: Path, by: str = "step") -> None:
    """Writes a picture of the runs in the folders; raises SettingError for a failure."""
    runs = []
    for folder, name in zip(folders, names_of(folders), strict=True):
        if not (rows := read_metrics(folder)):
            raise SettingError(f"no numbers of a run at {folder / NAME}")
        runs.append(CurveRun(name, rows))
    picture(runs, by).savefig(output)


def draw_if_possible(folder: Path) -> Path | None:
    """Writes a picture of the run in its folder; None without rows or matplotlib."""
    try:
        draw([folder], folder / PICTURE)
    except (ModuleNotFoundError, ValueError):
        return None
    return folder / PICTURE


def picture(runs: Sequence[CurveRun], by: str = "step") -> Figure:
    """Draws the runs side by side; raises SettingError for runs without a quantity.

    Raises ModuleNotFoundError without matplotlib.
    """
    from matplotlib.figure import Figure  # noqa: PLC0415 - optional, and slow to import

    names = panels_of(runs, by)
    if not names:
        raise SettingError(f"nothing of the runs can be shown by {by!r}")
    columns = min(COLUMNS, len(names))
    lines = -(-len(names) // columns)
    size = PANEL_INCHES[0] * columns, PANEL_INCHES[1] * lines
    figure = Figure(figsize=size, layout="constrained")
    axes = figure.subplots(lines, columns, squeeze=False).flatten()
    for panel, name in zip(axes, names, strict=False):
        _fill(panel, name, runs, by)
    for panel in axes[len(names) :]:
        panel.remove()
    _explain(figure)
    return figure


def panels_of(runs: Sequence[CurveRun], by: str) -> list[str]:
    """Returns the quantities with a panel, in the order of the picture."""
    named = dict.fromkeys(
        name.removeprefix(UNSEEN) for run in runs for row in run.rows if by in row for name in row
    )
    order = list(PANELS)
    known = [name for name in named if _kind(name) in PANELS]
    known.sort(key=lambda name: order.index(_kind(name)))
    return known + [name for name in named if name not in known and name not in COUNTS]


def smoothed(values: Floats) -> Floats:
    """Returns each value [rows] as the mean of the latest share of the values up to it.

    The share grows with the length: the line is calm at its end, and keeps the steep beginning.
    """
    sums = np.concatenate([[0.0], np.cumsum(values)])
    ends = np.arange(1, len(values) + 1)
    begins = ends - np.ceil(MEMORY * ends).astype(int)
    means: Floats = (sums[ends] - sums[begins]) / (ends - begins)
    return means


def names_of(folders: Sequence[Path]) -> list[str]:
    """Returns the shortest distinct ends of the paths."""
    paths = [folder.resolve().parts for folder in folders]
    for length in range(1, max(map(len, paths))):
        names = [str(Path(*parts[-length:])) for parts in paths]
        if len(set(names)) == len(names):
            return names
    return [str(folder) for folder in folders]


def _kind(name: str) -> str:
    """Returns the row of PANELS for a quantity."""
    return POINTS if name.startswith(POINTS) else name


def _fill(panel: Axes, name: str, runs: Sequence[CurveRun], by: str) -> None:
    """Draws a quantity of all runs: the measurements faintly, and a calm line."""
    kind = PANELS.get(_kind(name), Panel(name))
    several = len(runs) > 1
    lowest = math.inf
    for index, run in enumerate(runs):
        for part, style in ((name, "-"), (UNSEEN + name, "--")):
            x, y = run.line(part, by)
            if not len(x):
                continue
            lowest = min(lowest, float(y.min()))
            words = [run.name] if several else []
            words += ["before it is learned"] if part != name else []
            color = f"C{index}"
            panel.plot(x, y, color=color, alpha=0.25, linewidth=0.8, linestyle=style)
            calm = y if kind.chosen else smoothed(y)
            panel.plot(x, calm, color=color, linestyle=style, label=", ".join(words) or None)
    if kind.logarithmic and lowest > 0:
        panel.set_yscale("log")
    panel.set_title(kind.title.format(name.removeprefix(POINTS)), fontsize="medium")
    panel.set_xlabel(by)
    panel.grid(alpha=0.3, which="both")


def _explain(figure: Figure) -> None:
    """Adds one legend of the runs' colors above all panels."""
    lines: dict[str, Artist] = {}
    for panel in figure.axes:
        handles, labels = panel.get_legend_handles_labels()
        lines |= dict(zip(labels, handles, strict=True))
    if lines:
        labels = sorted(lines)
        handles = [lines[label] for label in labels]
        figure.legend(handles, labels, loc="outside upper center", ncols=4, fontsize="small")
