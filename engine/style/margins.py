"""The final margins that are possible in a game, in points of the side to move."""

from __future__ import annotations

import math
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Margins:
    """Margins `offset + k * step` for every whole k; a step of 0 allows any margin."""

    step: float = 0.0
    offset: float = 0.0

    def between(self, low: float, high: float) -> tuple[float, float]:
        """Returns the least and the greatest possible margin in low..high, else the nearest one.

        >>> Margins(2, -0.5).between(-3.5, 3.5), Margins(2, -0.5).between(0.5, 1.0)
        ((-2.5, 3.5), (1.5, 1.5))
        """
        if not self.step:
            return low, high
        first = self.offset + math.ceil((low - self.offset) / self.step) * self.step
        last = self.offset + math.floor((high - self.offset) / self.step) * self.step
        if first > last:  # none within: the margin above, or the one below if it is nearer
            first = last = first if first - high <= low - last else last
        return first, last


ANY = Margins()
