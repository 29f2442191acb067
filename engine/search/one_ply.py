"""The one-ply heuristic of each move, by the core or by a position of a game in Python."""

from __future__ import annotations

from typing import Any, Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from engine._core import one_ply_heuristic
from engine.games.position import Position
from engine.util.type_test import TypeTest


@runtime_checkable
class OnePlyPosition(Protocol):
    """A position with a one-ply heuristic of its own."""

    def one_ply_values(self) -> NDArray[np.float64]:
        """Returns [move_count] the value of each move, in nats; -inf if illegal."""


_has_own_values: TypeTest[OnePlyPosition] = TypeTest(OnePlyPosition)


def one_ply_values(position: Position) -> NDArray[np.float64]:
    """Returns [move_count] the value of each move, in nats; -inf for a move never to be drawn."""
    if _has_own_values(position):
        return position.one_ply_values()
    core: Any = position  # of any game of the core
    return np.asarray(one_ply_heuristic(core), dtype=np.float64)
