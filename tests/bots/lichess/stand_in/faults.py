"""The faults of the stand-in: chances by kind, drawn with a seed."""

from __future__ import annotations

import random
from collections import Counter
from dataclasses import dataclass, fields


@dataclass(frozen=True)
class FaultChances:
    """The chance of each fault at each request or at each line of a stream."""

    limited: float = 0.0  # an answer 429, and one more for every request within the wait
    failing: float = 0.0  # an answer 502; nothing is done
    unanswered: float = 0.0  # carried out, but the connection is closed without an answer
    slow: float = 0.0  # the answer waits
    cut: float = 0.0  # a stream ends in the middle of a line
    closed: float = 0.0  # a stream ends between two lines
    stalled: float = 0.0  # a stream stays open without a byte
    repeated: float = 0.0  # a state comes twice
    noisy: float = 0.0  # a line of the wrong shape


ALL_FAULTS = FaultChances(
    limited=0.002,
    failing=0.02,
    unanswered=0.02,
    slow=0.02,
    cut=0.01,
    closed=0.01,
    stalled=0.005,
    repeated=0.05,
    noisy=0.02,
)
NOISE = (
    "[]",
    "{",
    '{"type": 5}',
    '{"type": "gameState"}',
    '{"type": "gameState", "moves": 4, "status": "started"}',
    '{"type": "gameState", "moves": "a1 zz", "wtime": -5, "btime": null, "status": "started"}',
    '{"type": "gameFull", "id": "../../account"}',
    '{"type": "chatLine", "room": 5}',
    '{"type": "opponentGone"}',
    '{"type": "somethingNew", "value": []}',
    '{"type": "chatLine", "room": "player", "username": "x", "text": "' + "a" * 10_000 + '"}',
    '{"type": "chatLine", "room": "player", "username": "x", "text": "\\u001b[31m\\u0000\\u202e"}',
)


class Faults:
    """Draws the faults and counts them."""

    def __init__(self, chances: FaultChances, seed: int) -> None:
        self.chances = chances
        self.rng = random.Random(seed)
        self.counts: Counter[str] = Counter()

    def strikes(self, kind: str) -> bool:
        """Whether a fault of a kind happens now."""
        happens = self.rng.random() < getattr(self.chances, kind)
        self.counts[kind] += happens
        return happens

    @property
    def missing(self) -> list[str]:
        """The kinds with a chance that never happened."""
        kinds = [each.name for each in fields(self.chances) if getattr(self.chances, each.name)]
        return [kind for kind in kinds if not self.counts[kind]]
