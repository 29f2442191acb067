"""The prior of an opponent's strength by its server's rating: a normal with a heavy tail.

The tail is for second accounts of strong players, shared accounts and users of engines. A rating at
the floor of its server says "at most", and one at the ceiling "at least".
"""

from __future__ import annotations

import math
from dataclasses import asdict, dataclass
from typing import Any, Self

import numpy as np

from engine.opponents.elo_grid import Grid, finite

TAIL_ELO = 600.0  # further deviation of the tail
AT_MOST, AT_LEAST = "at most", "at least"
BOUNDS = ("", AT_MOST, AT_LEAST)


@dataclass(frozen=True, slots=True)
class RatingPrior:
    """The density of a strength, before any game with us."""

    mean: float  # Elo of the board's ladder
    deviation: float  # Elo, of the normal without the tail
    tail_share: float  # weight of the tail
    bound: str = ""  # one of BOUNDS: the side on which the normal is as wide as the tail
    # Exponent on the density: the share of the rating's games that were not played with us.
    power: float = 1.0

    def __post_init__(self) -> None:
        """Raises ValueError quoting impossible numbers."""
        is_possible = self.deviation > 0 and 0 <= self.tail_share < 1 and 0 <= self.power <= 1
        if not is_possible or self.bound not in BOUNDS:
            raise ValueError(f"not a prior of a rating: {self}")

    def log_density(self, grid: Grid) -> Grid:
        """Returns [points] the log density on a grid of Elo, its maximum near 0."""
        wide = math.hypot(self.deviation, TAIL_ELO)
        near = np.full(len(grid), self.deviation)
        if self.bound:
            is_open = grid < self.mean if self.bound == AT_MOST else grid > self.mean
            near = np.where(is_open, wide, near)
        apart = grid - self.mean
        density: Grid = math.log1p(-self.tail_share) - 0.5 * (apart / near) ** 2
        if self.tail_share:
            tail = math.log(self.tail_share * self.deviation / wide) - 0.5 * (apart / wide) ** 2
            density = np.logaddexp(density, tail)
        return self.power * density

    def moments(self, grid: Grid) -> tuple[float, float]:
        """Returns the mean and the variance on a grid of Elo [points]."""
        density = np.exp(self.log_density(grid))
        density /= density.sum()
        mean = float(density @ grid)
        return mean, float(density @ (grid - mean) ** 2)

    def to_json(self) -> dict[str, Any]:
        """Returns all fields as JSON values; from_json reads them."""
        return asdict(self)

    @classmethod
    def from_json(cls, data: dict[str, Any]) -> Self:
        """Reads the values of to_json. Raises ValueError on anything else."""
        try:
            names = ("mean", "deviation", "tail_share", "power")
            return cls(bound=str(data["bound"]), **{name: finite(data[name]) for name in names})
        except (LookupError, TypeError) as error:
            raise ValueError(f"not a prior of a rating: {error}") from error
