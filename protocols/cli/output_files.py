"""A check, before the work, of a command's output files."""

from __future__ import annotations

from pathlib import Path


def check_writable(path: Path) -> None:
    """Raises OSError with the path if no file can be written.

    The content of the file stays as it is, and an absent file is absent again.
    """
    is_new = not path.exists()
    with path.open("a"):
        pass
    if is_new:
        path.unlink()
