"""Win rates of a position between weak players, by rollouts from it.

WEAK_ROLLOUTS has the sufficient number of rollouts by game; the core plays them. A search estimates
the result between strong players instead.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from engine._core import weak_wins
from engine.games.position import Position

SEED = 1  # constant: a position has the same win rates at every call


@dataclass(frozen=True, slots=True)
class WeakRollouts:
    """Parameters of the rollouts from a position."""

    games: int  # number of games from each position
    greed: (
        float  # greed of greedy players: weight of the one-ply heuristic, see engine.strength.level
    )
    most_cells: int = 100  # cells of the largest board with fast enough rollouts


WEAK_ROLLOUTS = {
    "connect4": WeakRollouts(64, 2.0),
    "othello": WeakRollouts(32, 1.2),
    "einstein": WeakRollouts(32, 1.0),
}
UNKNOWN = 0.5, 0.5


def weak_win_rates(position: Position, game: str) -> tuple[float, float]:
    """Win rates of the side to move in rollouts of greedy and of careless players, 0..1.

    A half each in games without rollouts, on boards too large for them, and after the end.
    """
    play = WEAK_ROLLOUTS.get(game)
    if play is None or position.is_over or position.width * position.height > play.most_cells:
        return UNKNOWN
    anything: Any = position  # a position of any game
    greedy = weak_wins(anything, greed=play.greed, games=play.games, seed=SEED)
    return greedy, weak_wins(anything, greed=0.0, games=play.games, seed=SEED)
