"""Paths that somebody typed, those that no file can have included.

Path.is_file raises OSError at a name that is too long, Path.expanduser RuntimeError at a user whom
the machine does not know.
"""

from __future__ import annotations

import os
from pathlib import Path


def is_file(path: Path) -> bool:
    """Returns whether a file is there."""
    return os.path.isfile(path)  # noqa: PTH113 - raises nothing


def is_folder(path: Path) -> bool:
    """Returns whether a folder is there."""
    return os.path.isdir(path)  # noqa: PTH112 - raises nothing


def is_no_file(path: Path) -> bool:
    """Returns whether something else is there, such as a folder or a pipe."""
    return os.path.exists(path) and not is_file(path)  # noqa: PTH110 - raises nothing


def expand_home(name: str) -> Path:
    """Returns the path of a name, its ~ or ~user replaced; as a shell, not that of no user."""
    return Path(os.path.expanduser(name))  # noqa: PTH111 - raises nothing
