"""Evaluators of any game without a network: numbers that depend on the position alone."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from engine._core import CpuRows
from engine.games.evaluator import MISC_OUTPUTS, POLICY_LOGITS, Multipliers, NetworkDescription
from engine.games.table import GAMES


def description_of(game: str) -> NetworkDescription:
    """A network without weights that takes the game's features."""
    kind = GAMES[game]
    spatial, globals_ = kind.new_position(*kind.usual_sizes[0]).features()
    return NetworkDescription(
        name="stand-in",
        version=8,
        trunk="none",
        parameters=0,
        planes=len(spatial),
        globals=len(globals_),
        metadata=0,
        policies=1,
        multipliers=Multipliers(),
        game=game,
    )


class StandInSlot:
    """A slot whose outputs its owner fills row by row."""

    def __init__(self, width: int, height: int, capacity: int, owner: StandInEvaluator) -> None:
        network = owner.network
        kind = GAMES[network.game]
        moves = POLICY_LOGITS.get(network.game) or kind.new_position(width, height).move_count

        def floats(size: int) -> NDArray[np.float32]:
            return np.zeros((capacity, size), np.float32)

        self.spatial: NDArray[np.uint8] = np.zeros(
            (capacity, network.planes, height, width), np.uint8
        )
        self.globals = floats(network.globals)
        self.metadata = floats(network.metadata)
        self.optimism: NDArray[np.float32] = np.zeros(capacity, np.float32)
        self.policy = floats(moves)
        self.value = floats(3)
        self.misc = floats(MISC_OUTPUTS)
        self.ownership = floats(width * height)
        self.core_rows: CpuRows | None = None
        self.dropout = 0.0
        self.dropout_seed = 0
        self._owner = owner
        self._rows = 0

    def start(self, rows: int) -> None:
        assert self._rows == 0, "started before it was waited for"
        self._rows = rows

    def wait(self) -> None:
        rows, self._rows = self._rows, 0
        self._owner.pause()
        for row in range(rows):
            self._owner.evaluate(self, row)
            self._owner.rows += 1


def drawn_from_stones(slot: StandInSlot, row: int) -> None:
    """Outputs drawn from a generator seeded by the stones; passing, where there is, is unlikely."""
    stones = slot.spatial[row, 1].astype(np.int64) + 2 * slot.spatial[row, 2]
    rng = np.random.default_rng(int((stones.ravel() * np.arange(1, stones.size + 1)).sum()))
    slot.policy[row] = rng.normal(0, 1.5, slot.policy.shape[1])
    if slot.policy.shape[1] > stones.size:
        slot.policy[row, -1] -= 3
    slot.value[row] = rng.normal(0, 0.5, 3)
    slot.misc[row] = rng.normal(0, 0.2, 6)
    slot.ownership[row] = rng.normal(0, 0.5, slot.ownership.shape[1])


def uniform(slot: StandInSlot, row: int) -> None:
    """Every move as likely, the side to move ahead by 5 points and most of the board its own."""
    slot.policy[row] = 0.0
    slot.value[row] = (1.0, 0.0, -9.0)
    slot.misc[row] = (0.25, 0.0, 0.25, 0.0, 0.0, 0.0)
    slot.ownership[row] = 0.5


class StandInEvaluator:
    """An Evaluator that counts the rows it was given and `pause`s each batch."""

    backend = "stand-in"
    precision = "fp32"
    device = "none"

    def __init__(
        self,
        evaluate: Callable[[StandInSlot, int], None] = drawn_from_stones,
        *,
        game: str = "go",
        rows: int = 4,
        slots: int = 2,
        pause: Callable[[], None] = lambda: None,
    ) -> None:
        self.network = description_of(game)
        self.evaluate = evaluate
        self.preferred_rows = rows
        self.slots = slots
        self.pause = pause
        self.rows = 0

    def open(self, width: int, height: int, capacity: int) -> StandInSlot:
        return StandInSlot(width, height, capacity, self)
