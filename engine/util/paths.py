"""Tests of paths typed by users, impossible names included.

Path.is_file raises OSError for an overlong name, Path.expanduser RuntimeError for a user unknown to
the machine; the functions here raise neither.
"""

from __future__ import annotations

import os
from pathlib import Path


def is_file(path: Path) -> bool:
    """Returns whether the path is a file."""
    return os.path.isfile(path)  # noqa: PTH113 - raises nothing


def is_folder(path: Path) -> bool:
    """Returns whether the path is a folder."""
    return os.path.isdir(path)  # noqa: PTH112 - raises nothing


def is_network_place(path: Path) -> bool:
    """Returns whether a network may be read from the path: a file, or a folder of networks."""
    return is_file(path) or is_folder(path)


def is_no_file(path: Path) -> bool:
    """Returns whether the path exists but is no file, such as a folder or a pipe."""
    return os.path.exists(path) and not is_file(path)  # noqa: PTH110 - raises nothing


def expand_home(name: str) -> Path:
    """Returns the path with its ~ or ~user replaced; an unknown ~user stays, as in a shell."""
    return Path(os.path.expanduser(name))  # noqa: PTH111 - raises nothing
