"""Full strength, as a value beside the ways to weaken play."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Full:
    """Unweakened play: the search's move, late positions solved, lost games of Go resigned."""
