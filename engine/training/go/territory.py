"""Weighted territory: by what Go's games are decided for a network to learn a style from them.

Shi, Fan, Li, Hsueh, Ikeda, Position Control and Production of Various Strategies for Game of Go,
JISE 37(3), 2021, offline strategies: a point of the fourth line counts 1, one on the first three
1 - beta, one beyond 1 + beta; beta is 0.2 for a network that wants the centre, -0.2 for one that
wants the edge. On boards up to SIDE_OF_SMALL, of which hardly anything lies beyond the fourth line,
the third is in the middle, as in engine.style.edge_distance. The counting itself is the core's.
"""

from __future__ import annotations

from dataclasses import dataclass

from engine._core import GoPosition
from engine.errors import SettingError
from engine.games.position import Position
from engine.style.edge_distance import SIDE_OF_SMALL

MIDDLE_LINE, MIDDLE_LINE_OF_SMALL = 4, 3


@dataclass(frozen=True)
class Territory:
    """What the points of a board count."""

    beta: float
    middle_line: int  # whose points count 1; line 1 is the border
    # Iterations, the first ones, that learn what the start network expects of it, not the results.
    expected: int = 0

    def __post_init__(self) -> None:
        """SettingError quotes what cannot be."""
        if not -1 <= self.beta <= 1:
            raise SettingError(f"--beta {self.beta}: from -1 to 1")
        if self.middle_line < 1:
            raise SettingError(f"--line {self.middle_line}: 1, the border, or farther in")
        if self.expected < 0:
            raise SettingError(f"--expected {self.expected}: 0 or more")

    def weigh(self, position: Position) -> Position:
        """The same position, whose game is decided so."""
        if not isinstance(position, GoPosition):
            raise TypeError("territory is Go's")
        position.weigh_territory(self.beta, self.middle_line)
        return position


def usual_middle_line(side: int) -> int:
    """On a board whose shorter side has so many points."""
    return MIDDLE_LINE_OF_SMALL if side <= SIDE_OF_SMALL else MIDDLE_LINE
