"""Win rates under balanced play, by a search to the end of the game in the core.

ENDGAMES has the number of empty cells from which this is feasible, by game. Games of Go end by
agreement and are never searched to the end.
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
    """The size of an endgame that the core can search to the end."""

    empty: int  # the most empty cells after a move
    nodes: int  # the most nodes for each move: see the core


ENDGAMES = {"connect4": EndgameSize(14, 30_000), "othello": EndgameSize(9, 30_000)}


def balanced_win_rates(
    position: Position,
    game: str,
    moves: NDArray[np.intp],
    *,
    target: float,
    kinds: Sequence[float],
) -> list[NDArray[np.float64] | None]:
    """Returns [moves] the mover's win rates [kinds], balanced as near to `target` as possible.

    moves: [n]. target: win rate, 0..1. kinds: weights of the kinds of opponent: perverse, careless,
    greedy, strong. A move's entry is None if its endgame is too large.
    """
    last = ENDGAMES.get(game)
    if last is None or np.count_nonzero(position.stones == 0) - 1 > last.empty:
        return [None] * len(moves)
    anything: Any = position  # a position of any game
    balanced = balance_endgame(
        anything,
        moves.tolist(),
        side=position.to_move,
        target=target,
        kinds=kinds,
        greed=WEAK_ROLLOUTS[game].greed,
        most_nodes=last.nodes,
    )
    return [None if win_rates is None else np.array(win_rates) for win_rates in balanced]
