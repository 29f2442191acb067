"""A check, before the work, of the files that a command writes at its end."""

from __future__ import annotations

from pathlib import Path


def check_writable(path: Path) -> None:
    """Raises OSError with the path where no file can be written.

    The content of the file stays as it is, and a file that was absent is absent again.
    """
    is_new = not path.exists()
    with path.open("a"):
        pass
    if is_new:
        path.unlink()
