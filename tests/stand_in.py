"""An evaluator without a network: numbers that depend on the position alone."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from engine.evaluator import Multipliers, NetworkDescription

DESCRIPTION = NetworkDescription(
    name="stand-in",
    version=8,
    trunk="none",
    parameters=0,
    planes=22,
    globals=19,
    metadata=0,
    policies=1,
    multipliers=Multipliers(),
)


class StandInSlot:
    """A slot whose outputs are drawn from a generator seeded by each row's planes."""

    def __init__(self, width: int, height: int, capacity: int, owner: StandInEvaluator) -> None:
        cells = width * height
        self.spatial: NDArray[np.uint8] = np.zeros((capacity, 22, height, width), np.uint8)
        self.globals: NDArray[np.float32] = np.zeros((capacity, 19), np.float32)
        self.metadata: NDArray[np.float32] = np.zeros((capacity, 0), np.float32)
        self.optimism: NDArray[np.float32] = np.zeros(capacity, np.float32)
        self.policy: NDArray[np.float32] = np.zeros((capacity, cells + 1), np.float32)
        self.value: NDArray[np.float32] = np.zeros((capacity, 3), np.float32)
        self.misc: NDArray[np.float32] = np.zeros((capacity, 6), np.float32)
        self.ownership: NDArray[np.float32] = np.zeros((capacity, cells), np.float32)
        self._owner = owner
        self._rows = 0

    def start(self, rows: int) -> None:
        assert self._rows == 0, "started before it was waited for"
        self._rows = rows

    def wait(self) -> None:
        rows, self._rows = self._rows, 0
        for row in range(rows):
            self._owner.evaluate(self, row)
            self._owner.rows += 1


def drawn_from_stones(slot: StandInSlot, row: int) -> None:
    """Outputs drawn from a generator seeded by the stones."""
    stones = slot.spatial[row, 1].astype(np.int64) + 2 * slot.spatial[row, 2]
    rng = np.random.default_rng(int((stones.ravel() * np.arange(1, stones.size + 1)).sum()))
    slot.policy[row] = rng.normal(0, 1.5, slot.policy.shape[1])
    slot.policy[row, -1] -= 3
    slot.value[row] = rng.normal(0, 0.5, 3)
    slot.misc[row] = rng.normal(0, 0.2, 6)
    slot.ownership[row] = rng.normal(0, 0.5, slot.ownership.shape[1])


class StandInEvaluator:
    """Satisfies engine.evaluator.Evaluator; counts the rows it was given."""

    network = DESCRIPTION
    backend = "stand-in"
    precision = "fp32"
    device = "none"

    def __init__(
        self,
        evaluate: Callable[[StandInSlot, int], None] = drawn_from_stones,
        *,
        rows: int = 4,
        slots: int = 2,
    ) -> None:
        self.evaluate = evaluate
        self.preferred_rows = rows
        self.slots = slots
        self.rows = 0

    def open(self, width: int, height: int, capacity: int) -> StandInSlot:
        return StandInSlot(width, height, capacity, self)
