"""Faults of a line and of a server, drawn by a seed."""

from __future__ import annotations

import random
from dataclasses import dataclass, field


@dataclass
class Faults:
    """Chances per frame, 0..1. A frame that is held back arrives after later ones."""

    seed: int = 0
    drop: float = 0.0  # the socket ends before or after this frame
    twice: float = 0.0  # the frame is sent two times
    late: float = 0.0  # the frame is held back
    refuse: float = 0.0  # the REST interface answers 503
    longest_delay: float = 0.05  # seconds of a frame held back
    counts: dict[str, int] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self._random = random.Random(self.seed)

    def happens(self, kind: str) -> bool:
        """Draws one fault of a kind, and counts it."""
        if self._random.random() >= getattr(self, kind):
            return False
        self.counts[kind] = self.counts.get(kind, 0) + 1
        return True

    def delay(self) -> float:
        """Draws the seconds that a frame is held back."""
        return self._random.uniform(0, self.longest_delay)

    def stop(self) -> None:
        """Ends all faults."""
        self.drop = self.twice = self.late = self.refuse = 0.0
