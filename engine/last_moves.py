"""How often a side that keeps a game even wins it, where all that can still come is looked at.

Knows from how many empty cells on that is so, by game; the looking is the core's. In Go, where
games end when the players agree that they do, it never is.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from engine._core import kept_even as looked_through
from engine.position import Position
from engine.weak_play import WEAK_PLAY


@dataclass(frozen=True, slots=True)
class LastMoves:
    """When a game is near enough to its end."""

    empty: int  # cells
    nodes: int  # that are looked at, at most


LAST_MOVES = {"connect4": LastMoves(14, 30_000), "othello": LastMoves(9, 30_000)}


def kept_even(
    position: Position, game: str, *, side: int, wanted: float, kinds: Sequence[float]
) -> NDArray[np.float64] | None:
    """[kinds] the side's chances, as near to the wanted one as it can keep them.

    Of a player who is perverse, careless, greedy, strong; None where there is too much to look at.
    kinds: how much each of them counts.
    """
    last = LAST_MOVES.get(game)
    if last is None or np.count_nonzero(position.stones == 0) > last.empty:
        return None
    anything: Any = position  # of whichever game
    greed = WEAK_PLAY[game].greed
    chances = looked_through(
        anything, side=side, wanted=wanted, kinds=kinds, greed=greed, most_nodes=last.nodes
    )
    return None if chances is None else np.array(chances)
