"""How a position stands between weak players, by games that they would play from it.

Knows how many such games tell enough, by game; the games are the core's. What comes of a position
between strong players, a search reads.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from engine._core import weak_wins
from engine.games.position import Position

SEED = 1  # always the same: a position stands the same whenever it is looked at


@dataclass(frozen=True, slots=True)
class WeakRollouts:
    """Games of one kind that a position is judged by."""

    games: int  # from each position
    greed: float  # of those who go by a glance, see engine.strength.level
    most_cells: int = 100  # of a board on which they are quick enough


WEAK_ROLLOUTS = {
    "connect4": WeakRollouts(64, 2.0),
    "othello": WeakRollouts(32, 1.2),
    "go": WeakRollouts(12, 1.5),
}
UNKNOWN = 0.5, 0.5


def weak_win_rates(position: Position, game: str) -> tuple[float, float]:
    """What the side to move wins of games between greedy players and between careless ones, 0..1.

    A half each where the board is too large for such games.
    """
    play = WEAK_ROLLOUTS[game]
    if position.is_over or position.width * position.height > play.most_cells:
        return UNKNOWN
    anything: Any = position  # of whichever game
    greedy = weak_wins(anything, greed=play.greed, games=play.games, seed=SEED)
    return greedy, weak_wins(anything, greed=0.0, games=play.games, seed=SEED)
