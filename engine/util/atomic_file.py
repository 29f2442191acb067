"""Files that are there whole or not at all, whenever the program is killed or the power fails."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


@contextmanager
def atomic_write(path: Path) -> Iterator[Path]:
    """A path beside `path` to write to; what was written takes its place when the block ends."""
    unfinished = path.with_name(f"{path.name}.unfinished")
    yield unfinished
    _sync(unfinished)  # a name may reach the disk before the bytes
    unfinished.replace(path)
    _sync(path.parent)


def _sync(path: Path) -> None:
    """Returns once a file, or a folder's names, are on the disk."""
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
