"""Where a user's own data lies: what Sparring learned or was told, not what it comes with."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path


def data_folder(environment: Mapping[str, str] = os.environ) -> Path:
    """The folder, which may not be there yet: as the XDG base directory specification has it."""
    if home := environment.get("XDG_DATA_HOME"):
        return Path(home) / "sparring"
    return Path(environment.get("HOME") or Path.home()) / ".local" / "share" / "sparring"
