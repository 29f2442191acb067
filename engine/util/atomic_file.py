"""Atomic writing: a file is complete or absent, even after a kill or a power failure."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


@contextmanager
def atomic_write(path: Path) -> Iterator[Path]:
    """Yields a temporary path beside `path`; at the end of the block its file replaces `path`."""
    unfinished = path.with_name(f"{path.name}.unfinished")
    yield unfinished
    _sync(unfinished)  # else the name could reach the disk before the bytes
    unfinished.replace(path)
    _sync(path.parent)


def _sync(path: Path) -> None:
    """Blocks until a file's bytes, or a folder's entries, are on the disk."""
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
