"""The count of a game of Go with marked dead stones: the score and the owner of each point."""

from __future__ import annotations

from typing import cast

import numpy as np
from numpy.typing import NDArray

from engine._core import GoPosition
from engine.games.go_count import score_without_dead, without_history
from engine.games.position import Position


def count_without(position: Position, dead: NDArray[np.bool_]) -> tuple[float, NDArray[np.int8]]:
    """Returns Black's score without the dead stones [H, W], and the owner of each point.

    The owners are [H, W] int8: 1 Black, -1 White, 0 nobody.
    """
    board = cast("GoPosition", position)
    clean = without_history(board, board.to_move, removed=dead)
    return score_without_dead(board, dead), clean.area()
