"""The replay window: the latest positions, a file an iteration, and how many of them count.

Knows files and numbers of rows; does not know what is learned from them.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from engine.training.common.rows import SampleRows, joined, read_rows, write_rows


@dataclass(frozen=True)
class Growth:
    """How many of the latest rows are learned from when there are n in all.

    Up to `first` all of them, then first * (1 + slope * ((n / first)^power - 1) / power): KataGo's
    window. A slope of 0 is a queue.
    """

    first: int
    slope: float = 0.4
    power: float = 0.75

    def rows(self, played: int) -> int:
        """The size of the window after so many rows."""
        if played <= self.first:
            return played
        grown = (float(played / self.first) ** self.power - 1) / self.power
        return int(self.first * (1 + self.slope * grown))


class Window:
    """The rows of the latest iterations, in memory and in a folder."""

    def __init__(self, folder: Path, growth: Growth) -> None:
        self._folder = folder
        self._growth = growth
        self._kept: dict[int, tuple[SampleRows, dict[str, float]]] = {}

    def holds(self, iteration: int) -> bool:
        """Whether the games of the iteration were played and written."""
        return iteration in self._kept or self._path(iteration).exists()

    def add(self, iteration: int, rows: SampleRows, told: Mapping[str, float]) -> None:
        """Keeps the rows of an iteration, which are in their file when this returns."""
        self._folder.mkdir(parents=True, exist_ok=True)
        write_rows(self._path(iteration), rows, told)

    def rows_of(self, iteration: int) -> tuple[SampleRows, dict[str, float]]:
        """The rows of an iteration that it holds, and what was told of them."""
        if iteration not in self._kept:
            self._kept[iteration] = read_rows(self._path(iteration))
        return self._kept[iteration]

    def latest(self, iteration: int, played: int) -> SampleRows:
        """The rows to learn from after that iteration, `played` being those of all iterations."""
        wanted = self._growth.rows(played)
        parts: list[SampleRows] = []
        while wanted > 0 and iteration >= 0:
            rows = self.rows_of(iteration)[0]
            parts.append(rows.part(slice(max(0, rows.size - wanted), None)))
            wanted -= rows.size
            iteration -= 1
        return joined(parts[::-1])

    def forget(self, iteration: int, played: int) -> None:
        """Drops the iterations that are not learned from after that one, from the folder too."""
        wanted = self._growth.rows(played)
        while wanted > 0 and iteration >= 0:
            wanted -= self.rows_of(iteration)[0].size
            iteration -= 1
        for path in self._folder.glob("*.safetensors"):
            if int(path.stem) <= iteration:
                path.unlink()
        self._kept = {number: kept for number, kept in self._kept.items() if number > iteration}

    def _path(self, iteration: int) -> Path:
        return self._folder / f"{iteration:06d}.safetensors"
