"""The evaluations of positions of chess that searches share, as the core's cache does elsewhere.

The table needs no lock: each step is one operation of the interpreter. An entry lost between two
threads is evaluated again.
"""

from __future__ import annotations

from dataclasses import dataclass

from engine.values import Floats

GENERATIONS = 2
ENTRY_BYTES = 500  # of an evaluation of 35 moves with its key


@dataclass(frozen=True, slots=True)
class ChessEvaluation:
    """A network's evaluation of a position, as the side to move sees it."""

    logits: Floats  # [n] of the legal moves, in rising order
    win_loss: float  # the probability of a win minus that of a loss
    draw: float  # probability


class ChessEvaluations:
    """A bounded table of evaluations, by network and position.

    It has two generations. A full newer one becomes the older one, and entries without a lookup
    since then are dropped.
    """

    def __init__(self, entries: int) -> None:
        self.capacity = entries
        self.lookups = self.hits = 0
        self.clear()

    def clear(self) -> None:
        """Drops all evaluations."""
        self._newer: dict[tuple[int, int], ChessEvaluation] = {}
        self._older: dict[tuple[int, int], ChessEvaluation] = {}

    def __len__(self) -> int:
        return len(self._newer) + len(self._older)

    @property
    def bytes(self) -> int:
        """Memory of the evaluations, about."""
        return ENTRY_BYTES * len(self)

    def find(self, key: tuple[int, int]) -> ChessEvaluation | None:
        """Returns the evaluation of a key; None without one. key: network, position."""
        self.lookups += 1
        found = self._newer.get(key)
        if found is None:
            found = self._older.get(key)
            if found is None:
                return None
            self.store(key, found)
        self.hits += 1
        return found

    def store(self, key: tuple[int, int], evaluation: ChessEvaluation) -> None:
        """Keeps an evaluation."""
        if len(self._newer) >= self.capacity // GENERATIONS:
            self._older, self._newer = self._newer, {}
        self._newer[key] = evaluation
