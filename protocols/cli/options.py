"""The type of a report's printer."""

from __future__ import annotations

from collections.abc import Callable

Say = Callable[[str], None]  # prints one line of a report
