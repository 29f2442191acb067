"""Weighted territory: another result of Go's games, for a network with a style.

Shi, Fan, Li, Hsueh, Ikeda, Position Control and Production of Various Strategies for Game of Go,
JISE 37(3), 2021, offline strategies: a point of the fourth line counts 1, one on the first three 1
- beta, one beyond 1 + beta; beta is 0.2 for a network fond of the centre, -0.2 for one fond of the
edge. On boards up to SIDE_OF_SMALL hardly any point lies beyond the fourth line: there the third is
in the middle, as in engine.style.edge_distance. The core does the counting.
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
    """The weights of a board's points."""

    beta: float
    middle_line: int  # its points count 1; line 1 is the border
    # Number of first iterations with the start network's expectations in place of the results.
    expected: int = 0

    def __post_init__(self) -> None:
        """Raises SettingError with an impossible value."""
        if not -1 <= self.beta <= 1:
            raise SettingError(f"--beta {self.beta}: from -1 to 1")
        if self.middle_line < 1:
            raise SettingError(f"--line {self.middle_line}: 1, the border, or farther in")
        if self.expected < 0:
            raise SettingError(f"--expected {self.expected}: 0 or more")

    def weigh(self, position: Position) -> Position:
        """Returns the same position, with this count of its game."""
        if not isinstance(position, GoPosition):
            raise TypeError("territory is Go's")
        position.weigh_territory(self.beta, self.middle_line)
        return position


def usual_middle_line(side: int) -> int:
    """Returns the middle line of a board by its shorter side."""
    return MIDDLE_LINE_OF_SMALL if side <= SIDE_OF_SMALL else MIDDLE_LINE
