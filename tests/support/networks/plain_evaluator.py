"""The plain forward pass as an evaluator of one row, for the tests that run every backend."""

from __future__ import annotations

from typing import Any

import numpy as np

from engine.games.evaluator import MISC_OUTPUTS
from engine.networks.architecture import Architecture
from engine.networks.description import describe
from tests.support.networks import plain_forward


class PlainSlot:
    core_rows = None

    def __init__(self, network: Architecture, width: int, height: int) -> None:
        self._network = network
        self.spatial = np.zeros((1, network.planes.inputs, height, width), np.uint8)
        self.globals = np.zeros((1, network.globals.inputs), np.float32)
        self.optimism = np.zeros(1, np.float32)
        self.policy: Any = None
        self.value: Any = None
        self.misc: Any = None
        self.ownership: Any = None

    def start(self, rows: int) -> None:
        assert rows == 1
        policy, value, misc, ownership = plain_forward.forward(
            self._network, self.spatial[0], self.globals[0], optimism=float(self.optimism[0])
        )
        self.policy, self.value, self.ownership = policy[None], value[None], ownership[None]
        self.misc = np.zeros((1, MISC_OUTPUTS))
        self.misc[0, : len(misc)] = misc

    def wait(self) -> None:
        pass


class PlainEvaluator:
    preferred_rows = 1

    def __init__(self, network: Architecture) -> None:
        self._network = network
        self.network = describe(network)

    def open(self, width: int, height: int, rows: int) -> PlainSlot:
        assert rows == 1
        return PlainSlot(self._network, width, height)
