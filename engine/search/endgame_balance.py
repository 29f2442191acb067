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

from engine._core import balanced_win_rates as balance_endgame
from engine.games.position import Position
from engine.search.weak_rollouts import WEAK_ROLLOUTS


@dataclass(frozen=True, slots=True)
class EndgameSize:
    """When a game is near enough to its end."""

    empty: int  # cells after a move
    nodes: int  # that are looked at for each move, at most: see the core


ENDGAMES = {"connect4": EndgameSize(14, 30_000), "othello": EndgameSize(9, 30_000)}


def balanced_win_rates(
    position: Position,
    game: str,
    moves: NDArray[np.intp],
    *,
    wanted: float,
    kinds: Sequence[float],
) -> list[NDArray[np.float64] | None]:
    """After each move [kinds] the mover's chances, as near to the wanted one as it can keep them.

    Of a player who is perverse, careless, greedy, strong; None where there is too much to look at.
    kinds: how much each of them counts.
    """
    last = ENDGAMES.get(game)
    if last is None or np.count_nonzero(position.stones == 0) - 1 > last.empty:
        return [None] * len(moves)
    anything: Any = position  # of whichever game
    found = balance_endgame(
        anything,
        moves.tolist(),
        side=position.to_move,
        wanted=wanted,
        kinds=kinds,
        greed=WEAK_ROLLOUTS[game].greed,
        most_nodes=last.nodes,
    )
    return [None if chances is None else np.array(chances) for chances in found]
