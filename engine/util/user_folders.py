"""Where a user's own data and settings lie: what was learned or told, not what Sparring brings."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path


def data_folder(environment: Mapping[str, str] = os.environ) -> Path:
    """That of data, which may not be there yet: as the XDG base directory specification has it."""
    return _folder(environment, "XDG_DATA_HOME", Path(".local", "share"))


def config_folder(environment: Mapping[str, str] = os.environ) -> Path:
    """That of settings, likewise."""
    return _folder(environment, "XDG_CONFIG_HOME", Path(".config"))


def _folder(environment: Mapping[str, str], variable: str, usual: Path) -> Path:
    home = environment.get(variable)
    base = Path(home) if home else Path(environment.get("HOME") or Path.home()) / usual
    return base / "sparring"
