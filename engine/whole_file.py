"""Files that are there whole or not at all, whenever the program is killed."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


@contextmanager
def whole_file(path: Path) -> Iterator[Path]:
    """A path beside `path` to write to; what was written takes its place when the block ends."""
    unfinished = path.with_name(f"{path.name}.unfinished")
    yield unfinished
    unfinished.replace(path)
