"""The folders of a user's own data and settings; bundled files lie elsewhere."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path


def data_folder(environment: Mapping[str, str] = os.environ) -> Path:
    """Returns the folder of data by the XDG base directory specification; it may not exist yet."""
    return _folder(environment, "XDG_DATA_HOME", Path(".local", "share"))


def config_folder(environment: Mapping[str, str] = os.environ) -> Path:
    """Returns the folder of settings by the same specification; it may not exist yet."""
    return _folder(environment, "XDG_CONFIG_HOME", Path(".config"))


def _folder(environment: Mapping[str, str], variable: str, usual: Path) -> Path:
    home = environment.get(variable)
    base = Path(home) if home else Path(environment.get("HOME") or Path.home()) / usual
    return base / "sparring"
