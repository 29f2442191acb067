"""The arrays of a slot, for any backend."""

from __future__ import annotations

import numpy as np

from engine._core import CpuRows
from engine.errors import SettingError
from engine.games.evaluator import MISC_OUTPUTS, ONE_BOARD, POLICY_LOGITS, NetworkDescription
from engine.games.table import GAMES

INPUTS = ("spatial", "globals", "metadata", "optimism")
OUTPUTS = ("policy", "value", "misc", "ownership")


class Buffers:
    """Zeroed arrays of `capacity` rows; see Slot in engine/games/evaluator.py for contents."""

    def __init__(self, network: NetworkDescription, width: int, height: int, capacity: int) -> None:
        """Raises SettingError for a board that is not the network's only one."""
        size = ONE_BOARD.get(network.game, (width, height))
        if size != (width, height):
            only = "x".join(map(str, size))
            raise SettingError(f"{network.name} is a network for {only}, not for {width}x{height}")
        area, logits = width * height, POLICY_LOGITS.get(network.game)
        if logits is None:
            logits = GAMES[network.game].move_count(width, height)
        self.size = height, width
        self.capacity = capacity
        self.spatial = np.zeros((capacity, network.planes, height, width), np.uint8)
        self.globals = np.zeros((capacity, network.globals), np.float32)
        self.metadata = np.zeros((capacity, network.metadata), np.float32)
        self.optimism = np.zeros(capacity, np.float32)
        self.policy = np.zeros((capacity, logits), np.float32)
        self.value = np.zeros((capacity, 3), np.float32)
        self.misc = np.zeros((capacity, MISC_OUTPUTS), np.float32)
        self.ownership = np.zeros((capacity, area), np.float32)
        self.core_rows: CpuRows | None = None
        self.dropout = 0.0
        self.dropout_seed = 0
        self._damaged_rows = 0  # evaluated so far

    def check_rows(self, rows: int) -> None:
        """Raises ValueError for an invalid number of rows or dropout probability."""
        if not 0 < rows <= self.capacity:
            raise ValueError(f"cannot evaluate {rows} rows in a slot of {self.capacity}")
        if not 0 <= self.dropout < 1:
            raise ValueError(f"dropout {self.dropout!r} is not a probability below 1")

    def next_seed(self, rows: int) -> int:
        """Returns the 32-bit seed of the next row's mask, and reserves `rows` seeds from it on."""
        if self.dropout == 0:
            return 0
        seed = (self.dropout_seed + self._damaged_rows) & 0xFFFFFFFF
        self._damaged_rows += rows
        return seed
