"""The numbers of a run, step by step: metrics.jsonl, and TensorBoard's event files beside it.

The module writes the files, and continues them after a break. The names and the meaning of the
numbers are the caller's. A run writes the row of a step before its checkpoint: a run killed in
between writes the row again, and none is missing.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from pathlib import Path
from types import TracebackType
from typing import IO, TYPE_CHECKING, Self

from engine.errors import SettingError
from engine.util.atomic_file import atomic_write

if TYPE_CHECKING:
    from tensorboardX import SummaryWriter

Say = Callable[[str], None]
Row = dict[str, float]

NAME = "metrics.jsonl"
EVENTS = "tensorboard"  # the folder of the event files


class Metrics:
    """The file of a run's numbers; a context, closed at the end of the run.

    The first row fixes the start of the continuation: the rows of an earlier run from its step on
    are dropped. Without tensorboardX there are no event files, and `say` receives a note.
    """

    def __init__(self, folder: Path, say: Say | None = None) -> None:
        self.folder = folder
        self._say = say
        self._lines: IO[str] | None = None
        self._events: SummaryWriter | None = None

    def write(self, step: int, row: Mapping[str, float]) -> None:
        """Adds a row of numbers; on return it is in the files."""
        lines = self._lines or self._begin(step)
        lines.write(json.dumps({"step": step, **row}) + "\n")
        lines.flush()
        if self._events is not None:
            for name, value in row.items():
                self._events.add_scalar(name, value, step)
            self._events.flush()

    def close(self) -> None:
        """Closes the files; a later row reopens them at its step."""
        if self._lines is not None:
            self._lines.close()
        if self._events is not None:
            self._events.close()
        self._lines = self._events = None

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def _begin(self, step: int) -> IO[str]:
        """Opens the files for rows from `step` on; returns the file of lines."""
        self.folder.mkdir(parents=True, exist_ok=True)
        earlier = [row for row in read_metrics(self.folder) if row["step"] < step]
        with atomic_write(self.folder / NAME) as unfinished:
            text = "".join(json.dumps(row) + "\n" for row in earlier)
            unfinished.write_text(text, encoding="utf-8")
        lines = self._lines = (self.folder / NAME).open("a", encoding="utf-8")
        self._events = event_writer(self.folder / EVENTS, step)
        if self._events is None and self._say is not None:
            self._say(f"no tensorboardX here: the numbers go to {self.folder / NAME} alone")
        return lines


def event_writer(folder: Path, step: int) -> SummaryWriter | None:
    """Returns a writer of event files from `step` on; None without tensorboardX."""
    try:
        from tensorboardX import SummaryWriter  # noqa: PLC0415 - optional, and slow to import
    except ModuleNotFoundError:
        return None
    # TensorBoard reads the files by name; two of the same second differ by their step.
    return SummaryWriter(str(folder), purge_step=step, filename_suffix=f".{step:09d}")


def read_metrics(folder: Path) -> list[Row]:
    """Returns the rows of a run, each with its step; none without a file.

    An incomplete last row, of a killed run, is left out; raises SettingError for any other broken
    row.
    """
    path = folder / NAME
    if not path.exists():
        return []
    *lines, rest = path.read_text(encoding="utf-8", errors="replace").split("\n")
    if rest and not rest.startswith("{"):
        lines.append(rest)  # of no run
    rows = []
    for number, line in enumerate(lines, 1):
        try:
            row = json.loads(line)
            int(row["step"])
        except (ValueError, TypeError, KeyError) as error:
            raise SettingError(f"{path}, line {number}: {line[:80]!r} has no step") from error
        rows.append(row)
    return rows
