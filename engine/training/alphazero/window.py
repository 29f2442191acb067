"""The replay window: the latest positions, a file an iteration, and its size.

The module has the files and the numbers of rows. The targets of a row are in
engine.training.common.rows.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from engine.training.common.rows import SampleRows, joined, read_rows, write_rows


@dataclass(frozen=True)
class Growth:
    """The size of the window for n rows in all.

    Up to `first` all rows, then first * (1 + slope * ((n / first)^power - 1) / power): KataGo's
    window. A slope of 0 is a queue.
    """

    first: int
    slope: float = 0.4
    power: float = 0.75

    def rows(self, played: int) -> int:
        """Returns the size of the window after `played` rows."""
        if played <= self.first:
            return played
        grown = (float(played / self.first) ** self.power - 1) / self.power
        return int(self.first * (1 + self.slope * grown))


class Window:
    """The rows of the latest iterations, in memory and in a folder."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._rows: dict[int, tuple[SampleRows, dict[str, float]]] = {}

    def holds(self, iteration: int) -> bool:
        """Whether the games of the iteration are played and written."""
        return iteration in self._rows or self._path(iteration).exists()

    def add(self, iteration: int, rows: SampleRows, statistics: Mapping[str, float]) -> None:
        """Adds the rows of an iteration; on return they are in their file."""
        self._folder.mkdir(parents=True, exist_ok=True)
        write_rows(self._path(iteration), rows, statistics)

    def rows_of(self, iteration: int) -> tuple[SampleRows, dict[str, float]]:
        """Returns the rows of an iteration in the window, and their statistics."""
        if iteration not in self._rows:
            self._rows[iteration] = read_rows(self._path(iteration))
        return self._rows[iteration]

    def latest(self, iteration: int, wanted: int) -> SampleRows:
        """Returns the latest rows of the window after an iteration, `wanted` of them at most."""
        parts: list[SampleRows] = []
        while wanted > 0 and iteration >= 0:
            rows = self.rows_of(iteration)[0]
            parts.append(rows.part(slice(max(0, rows.size - wanted), None)))
            wanted -= rows.size
            iteration -= 1
        return joined(parts[::-1])

    def forget(self, iteration: int, wanted: int) -> None:
        """Drops the iterations beyond the latest `wanted` rows, from the folder too."""
        while wanted > 0 and iteration >= 0:
            wanted -= self.rows_of(iteration)[0].size
            iteration -= 1
        for path in self._folder.glob("*.safetensors"):
            if int(path.stem) <= iteration:
                path.unlink()
        self._rows = {number: kept for number, kept in self._rows.items() if number > iteration}

    def _path(self, iteration: int) -> Path:
        return self._folder / f"{iteration:06d}.safetensors"
