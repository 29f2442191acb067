"""The meaning of a ladder's Elo: the place on the settings curve of the play at each Elo.

The Elo of one setting differs from ladder to ladder: a measured one replaces guesses, and a newer
network gets its own. Play at a place of the curve stays what it is.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from engine.games.table import Board
from engine.strength.rating_ladder import RatingLadder
from engine.strength.settings_curve import knots_of

Elos = NDArray[np.float64]  # [n]

DIGITS = 1  # of the numbers: equal ladders have equal scales
MOST_PLACES = 1000  # accepted from JSON
FEWEST_PLACES = 2
LEAST_DEVIATION = 25.0  # Elo, of a normal on another scale: rungs of equal Elo prove no certainty


@dataclass(frozen=True, slots=True)
class EloScale:
    """Places on a board's settings curve with their Elo, both rising; two or more."""

    places: tuple[float, ...]
    elos: tuple[float, ...]
    has_engine: bool = False  # whether the curve is that of levels with another engine's values

    def __post_init__(self) -> None:
        """Raises ValueError on places that do not rise, or with Elo that fall."""
        numbers = len(self.places), len(self.elos)
        falls = any(low >= high for low, high in pairwise(self.places))
        falls = falls or any(low > high for low, high in pairwise(self.elos))
        if falls or numbers[0] != numbers[1] or not FEWEST_PLACES <= numbers[0] <= MOST_PLACES:
            raise ValueError(f"no scale of Elo: {numbers[0]} places, {numbers[1]} Elo")

    def moved(self, elos: Elos, other: EloScale) -> Elos:
        """Returns [n] the Elo on the other scale of the same play, rising with the Elo.

        elos: [n] on this scale. Beyond the ends an Elo is as far from them on both. Elo on scales
        of different curves stay as they are.
        """
        if self.has_engine is not other.has_engine:
            return elos
        return _along(self.places_at(elos), other.places, other.elos)

    def moved_normal(self, mean: float, deviation: float, other: EloScale) -> tuple[float, float]:
        """Returns the mean and the deviation on the other scale of a normal distribution."""
        at = np.array([mean - deviation, mean, mean + deviation])
        low, middle, high = map(float, self.moved(at, other))
        return middle, max((high - low) / 2, LEAST_DEVIATION)

    def places_at(self, elos: Elos) -> Elos:
        """Returns [n] the place of each Elo; beyond the ends as far from them."""
        return _along(elos, self.elos, self.places)

    def to_json(self) -> dict[str, Any]:
        """Returns plain values for from_json."""
        return {
            "places": list(self.places),
            "elos": list(self.elos),
            "has_engine": self.has_engine,
        }

    @classmethod
    def from_json(cls, data: dict[str, Any]) -> Self:
        """Reads the values of to_json. Raises ValueError on anything else."""
        try:
            places, elos = (tuple(map(float, data[name])) for name in ("places", "elos"))
            if not np.isfinite((*places, *elos)).all():
                raise ValueError("a number is not finite")
            return cls(places, elos, data["has_engine"] is True)
        except (LookupError, TypeError) as error:
            raise ValueError(f"no scale of Elo: {error}") from error


def _along(values: Elos, known: tuple[float, ...], there: tuple[float, ...]) -> Elos:
    """Returns [n] the values between knots that correspond; beyond the ends as far from them."""
    inside: Elos = np.interp(values, known, there)
    return inside + values - np.clip(values, known[0], known[-1])


@lru_cache(maxsize=32)
def elo_scale_of(ladder: RatingLadder) -> EloScale:
    """Returns a ladder's scale; one with too few rungs on the curve has its Elo as places."""
    known = ladder.elo_by_place()
    places = [round(place, DIGITS) for place in known]
    if len(set(places)) < FEWEST_PLACES:
        known = {ladder.lowest: ladder.lowest, ladder.highest: ladder.highest}
        places = [round(place, DIGITS) for place in known]
    elos = np.maximum.accumulate(list(known.values()))
    joined = dict(zip(places, (round(float(elo), DIGITS) for elo in elos), strict=True))
    return EloScale(tuple(joined), tuple(joined.values()), bool(ladder.engine))


def guessed_scale(board: Board, *, has_engine: bool) -> EloScale:
    """Returns the scale of a ladder without games: the settings curve at its assumed Elo."""
    elos = tuple(knot.elo for knot in knots_of(board, has_engine=has_engine))
    return EloScale(elos, elos, has_engine)
