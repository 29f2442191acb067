"""The manners of playing that the moves of an opponent are judged by."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from engine.opponents.elo_grid import LEAST_LOG, Grid
from engine.util.elo import EVERYWHERE_ELO

REACH_ELO = 100.0  # deviation of apparent levels beyond a style's table


@dataclass(frozen=True, slots=True)
class PlayerStyle:
    """One manner of playing: its share of players, and the reach of its table."""

    share: float  # share of all players with this style; the shares sum to 1
    deviation: float  # standard deviation of the offset, apparent level less strength, in Elo
    lowest_elo: float = -EVERYWHERE_ELO  # lowest apparent level in the table's games
    highest_elo: float = EVERYWHERE_ELO  # highest apparent level in the table's games

    def __post_init__(self) -> None:
        """Raises ValueError quoting impossible numbers."""
        if not (0 < self.share <= 1 and 0 <= self.deviation < math.inf):
            raise ValueError(f"a style's share {self.share} and deviation {self.deviation}")
        if not self.lowest_elo <= self.highest_elo:
            raise ValueError(f"a style from {self.lowest_elo} to {self.highest_elo} Elo")

    @property
    def numbers(self) -> tuple[float, float, float, float]:
        """All fields, in their order."""
        return self.share, self.deviation, self.lowest_elo, self.highest_elo

    def reach(self, grid: Grid) -> Grid:
        """Returns [points] the log weight of each apparent level: 0 within the table's levels."""
        beyond = grid - np.clip(grid, self.lowest_elo, self.highest_elo)
        reached: Grid = np.maximum(-0.5 * (beyond / REACH_ELO) ** 2, LEAST_LOG)
        return reached


USUAL_STYLES = (PlayerStyle(1.0, 150.0),)  # for a ladder without measured styles
