"""Strength along the chain of settings, as a rising curve, and the places of rungs on it.

Pure numbers: places on the chain (its own parameter, a guess of Elo) and the measured Elo there.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Numbers = NDArray[np.float64]

LEAST_SLOPE = 0.02  # Elo a unit of the chain: keeps the curve invertible on flat parts


def rising(values: Sequence[float]) -> Numbers:
    """Returns the nearest sequence without a fall, by squares: falling neighbours are averaged.

    >>> rising([0, 3, 1, 5]).tolist()
    [0.0, 2.0, 2.0, 5.0]
    """
    means: list[float] = []
    counts: list[int] = []
    for value in values:
        means.append(float(value))
        counts.append(1)
        while len(means) > 1 and means[-2] > means[-1]:
            count = counts[-2] + counts[-1]
            mean = (means[-2] * counts[-2] + means[-1] * counts[-1]) / count
            means[-2:], counts[-2:] = [mean], [count]
    return np.repeat(means, counts)


@dataclass(frozen=True, slots=True)
class EloCurve:
    """Elo along the settings curve, linear between the measured places; random play is 0."""

    places: tuple[float, ...]  # places on the settings curve, rising
    elos: tuple[float, ...]  # the Elo at each place, rising

    @classmethod
    def through(
        cls, places: Sequence[float], elos: Sequence[float], smoothing: float = 0.25
    ) -> EloCurve:
        """Returns a rising curve near the measured points, 0 at 0; 0 must be a place.

        Each step's slope is averaged with its neighbours', `smoothing` their weight: after few
        games a step's own error is as large as the unevenness it should mend.
        """
        steps = np.diff(np.asarray(places, dtype=float))
        rises = np.diff(rising(elos))
        kernel = np.array([smoothing, 1 - 2 * smoothing, smoothing])
        slopes = np.convolve(rises, kernel)[1:-1] / np.convolve(steps, kernel)[1:-1]
        heights = np.concatenate([[0.0], np.cumsum(np.maximum(slopes, LEAST_SLOPE) * steps)])
        heights -= heights[list(places).index(0.0)]
        return cls(tuple(map(float, places)), tuple(map(float, heights)))

    def like(self, places: Sequence[float], elos: Sequence[float]) -> EloCurve:
        """Returns the curve through measured points, with this curve's ends.

        Beyond the measured points the Elo grows as on this curve. 0 must be a place.
        """
        measured = EloCurve(tuple(places), tuple(rising(elos)))
        low, high = self.places[0], self.places[-1]
        inner = [place for place in places if low < place < high]
        at = [low, *inner, high]
        beyond = [self.elo_of(place) - self.elo_of(measured.nearest(place)) for place in at]
        heights = [measured.elo_of(place) + more for place, more in zip(at, beyond, strict=True)]
        return EloCurve.through(at, heights, 0.0)

    def nearest(self, place: float) -> float:
        """Returns the place; beyond an end of the curve, returns that end."""
        return min(max(place, self.places[0]), self.places[-1])

    def place_of(self, elo: float) -> float:
        """Returns the place of an Elo on the chain; an end beyond either."""
        return float(np.interp(elo, self.elos, self.places))

    def elo_of(self, place: float) -> float:
        """Returns the Elo at a place of the chain; an end's beyond either."""
        return float(np.interp(place, self.places, self.elos))

    def cut(self, step_elo: float) -> list[float]:
        """Returns places about `step_elo` apart: both ends, 0, and the steps between."""
        low, high = self.elos[0], self.elos[-1]
        below = np.linspace(low, 0.0, max(1, round(-low / step_elo)) + 1)[:-1]
        above = np.linspace(0.0, high, max(1, round(high / step_elo)) + 1)
        places = [self.place_of(elo) for elo in [*below, *above]]
        places[len(below)] = 0.0
        return places
