"""Tabular AlphaZero on the solved 2x4 board of dark chess, beside the thesis's runs (Hsueh 2019).

The search, the table and their learning are engine/core/selfplay/tabular_alphazero.h. A run is
measured after each iteration: games of the policy alone against best play, and the error of the
start's value. The published runs are a table in CSV that is not a part of the project.
"""

from __future__ import annotations

import csv
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from engine._core import (
    DarkChessPosition,
    PositionGraph,
    SolvedDarkChess,
    TabularAlphaZero,
    TabularSettings,
)

TEST_GAMES = 10_000
TEST_QUIET_LIMIT = 180
# Bits of the symmetries in PositionGraph: 0 to 3 mirror the board, 4 to 7 exchange the colors too.
SYMMETRIES = {"None": 0b1, "Color": 0b1_0001, "Position": 0b1111, "Full": 0xFF}


@dataclass(frozen=True, slots=True)
class TabularSetting:
    """A run's constants by the thesis's names, with its defaults."""

    simulations: int = 800
    c_puct: float = 1.0
    alpha: float = 1.5
    epsilon: float = 0.25
    tau: float = 1.0
    symmetry: str = "Full"
    games: int = 1000  # of an iteration
    rate: float = 1.0  # of learning
    late_rate: float = 0.1
    late_from: int = 25  # the first iteration with the late rate

    def native(self) -> TabularSettings:
        """Returns the settings for the core."""
        settings = TabularSettings()
        settings.simulations = self.simulations
        settings.exploration = self.c_puct
        settings.noise_alpha = self.alpha
        settings.noise_share = self.epsilon
        settings.temperature = self.tau
        settings.symmetries = SYMMETRIES[self.symmetry]
        return settings

    @property
    def published_key(self) -> tuple[str, str] | None:
        """The (parameter, value) of the published run with these constants; None for none.

        A published run differs from the defaults in one parameter at most.
        """
        default = TabularSetting()
        changed = [
            name for name in ("symmetry", "c_puct", "alpha", "epsilon", "tau")
            if getattr(self, name) != getattr(default, name)
        ]  # fmt: skip
        if len(changed) > 1 or self.simulations != default.simulations:
            return None
        name = changed[0] if changed else "symmetry"
        return name, _text(getattr(self, name))


def _text(value: object) -> str:
    return f"{value:g}" if isinstance(value, float) else str(value)


@dataclass(frozen=True, slots=True)
class TabularRow:
    """An iteration: the first is 0, before all learning."""

    iteration: int
    positions: int  # learned from so far, images included
    win_rate: float  # percent, against best play
    illegal: int  # of the test games
    value_error: float  # AE: of the start's value on 0..1
    distinct: int  # different positions so far


def run_of(
    start: DarkChessPosition, setting: TabularSetting, iterations: int, seed: int
) -> Iterator[TabularRow]:
    """Yields the rows of a run on a solved start, as they come."""
    graph = PositionGraph(start)
    solution = SolvedDarkChess(start)
    values = graph.values(solution)
    truth = (1 + values[0] / solution.whole) / 2
    learner = TabularAlphaZero(graph, setting.native(), seed)
    positions = 0
    for iteration in range(iterations + 1):
        if iteration > 0:
            learner.play(setting.games)
            late = iteration >= setting.late_from
            positions += learner.learn(setting.late_rate if late else setting.rate)
        series = learner.against_optimal(values, TEST_GAMES, TEST_QUIET_LIMIT)
        yield TabularRow(
            iteration,
            positions,
            100 * series.points / series.games,
            series.illegal,
            abs(learner.value(0) - truth),
            learner.distinct,
        )


def read_runs(path: Path, setting: TabularSetting) -> dict[int, dict[str, float]]:
    """Returns a published run's quantities by iteration; none for a run that the table lacks.

    The table's columns: parameter, value, iteration, quantity, number. Raises OSError for a file
    that cannot be read, ValueError for another table.
    """
    run: dict[int, dict[str, float]] = {}
    key = setting.published_key
    try:
        with path.open(newline="") as file:
            for cells in csv.DictReader(file):
                if (cells["parameter"], cells["value"]) == key:
                    quantities = run.setdefault(int(cells["iteration"]), {})
                    quantities[cells["quantity"]] = float(cells["number"])
    except (KeyError, TypeError, ValueError) as error:
        raise ValueError(f"{path}: no table of runs: {error}") from error
    return run


def values_of(row: TabularRow) -> dict[str, Any]:
    """Returns a row by the thesis's names of quantities."""
    return {
        "iteration": row.iteration,
        "positions": row.positions,
        "win_rate": row.win_rate,
        "AE": row.value_error,
        "seen": row.distinct,
        "illegal": row.illegal,
    }
