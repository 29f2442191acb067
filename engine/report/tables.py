"""Tables of text cells: as aligned lines for people, and as files for spreadsheets."""

from __future__ import annotations

import csv
import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path

from engine.util.atomic_file import atomic_write


def aligned(rows: Sequence[Sequence[str]]) -> Iterator[str]:
    """Yields the rows as lines, the first column left-aligned and all others right-aligned.

    >>> list(aligned([["", "won"], ["random", "9"]]))
    ['        won', 'random    9']
    """
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    for row in rows:
        cells = [cell.rjust(width) for cell, width in zip(row, widths, strict=True)]
        yield "  ".join([row[0].ljust(widths[0]), *cells[1:]]).rstrip()


def write_csv(path: Path, rows: Sequence[Mapping[str, object]]) -> None:
    """Writes the rows as CSV, with a column for each name in order of first appearance."""
    names = dict.fromkeys(name for row in rows for name in row)
    with path.open("w", newline="") as file:
        writer = csv.DictWriter(file, list(names))
        writer.writeheader()
        writer.writerows(rows)


def write_findings(folder: Path, name: str, lines: Iterable[str], values: object) -> None:
    """Writes the lines as NAME.txt and the values as NAME.json, each whole or not at all."""
    for ending, text in (("txt", "\n".join(lines)), ("json", json.dumps(values, indent=1))):
        with atomic_write(folder / f"{name}.{ending}") as unfinished:
            unfinished.write_text(text + "\n")


def flat(values: Mapping[str, object], prefix: str = "") -> dict[str, object]:
    """Returns nested values as one row: joined names for a mapping, low and high for a pair.

    >>> flat({"elo": {"of": 3}, "interval": [1, 5]})
    {'elo_of': 3, 'interval_low': 1, 'interval_high': 5}
    """
    row: dict[str, object] = {}
    for name, value in values.items():
        key = f"{prefix}{name}"
        if isinstance(value, Mapping):
            row |= flat(value, f"{key}_")
        elif isinstance(value, list | tuple):
            ends = dict(zip(("low", "high"), value, strict=False)) if len(value) == 2 else {}
            row |= {f"{key}_{end}": number for end, number in ends.items()}
        else:
            row[key] = value
    return row
