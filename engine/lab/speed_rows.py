"""The table of speed ratios: one row for each kind of processor met, the latest run's last.

Rows of earlier runs are appended to speed_rows.json by hand.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

STORED = Path(__file__).with_name("speed_rows.json")
ABSENT = "-"
RATIOS = {  # title of a column: its condition and its measure
    "evaluations, fp32, no cache": ("fp32, no cache", "evaluations_ratio"),
    "evaluations a CPU second, fp32, no cache": ("fp32, no cache", "cpu_ratio"),
    "visits, fp32": ("fp32", "visits_ratio"),
    "evaluations, as shipped": ("as shipped", "evaluations_ratio"),
    "evaluations a CPU second, as shipped": ("as shipped", "cpu_ratio"),
    "visits, as shipped": ("as shipped", "visits_ratio"),
}
NAMES = ("processor", "instructions", "network", "sizes", "peer", *RATIOS, "commit")
Row = Mapping[str, str]
Spreads = Mapping[str, Mapping[str, Sequence[float]]]  # condition -> measure -> low, median, high


def stored_rows() -> list[Row]:
    """Returns the rows of earlier runs."""
    rows: list[Row] = json.loads(STORED.read_text())
    return rows


def row_of(names: Row, sizes: Mapping[str, Spreads]) -> Row:
    """Returns the row of a run. names: its processor, instructions, network and peer."""
    ratios = {
        title: " / ".join(_median(spreads.get(condition, {}).get(measure)) for spreads in
                          sizes.values())
        for title, (condition, measure) in RATIOS.items()
    }  # fmt: skip
    return {**names, "sizes": " / ".join(sizes), **ratios}


def _median(spread: Sequence[float] | None) -> str:
    return ABSENT if spread is None else f"{spread[1]:.2f}"


def markdown(rows: Sequence[Row]) -> Iterator[str]:
    """Yields the table's lines."""
    yield f"| {' | '.join(NAMES)} |"
    yield "|" + "---|" * len(NAMES)
    for row in rows:
        yield f"| {' | '.join(row.get(name, ABSENT) for name in NAMES)} |"
