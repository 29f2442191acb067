"""The rating of imitated players as an input: of networks that each imitate players of one rating.

Ratings are those of Lichess, as Maia's networks are named by them. A profile's name is such as
rating_1500.
"""

from __future__ import annotations

import re

import numpy as np

from engine.values import Floats

INPUTS = 1
HIGHEST = 0.0  # the input of a row without a rating: players of the highest one
FORM = "rating_1500"
LEAST_RATING, MOST_RATING = 1.0, 4000.0


def is_rating(name: str) -> bool:
    """Tests whether a profile's name is of this form, whatever its number."""
    return name.startswith("rating_")


def rating_named(name: str) -> float:
    """Returns the rating of a profile's name. Raises ValueError, quoting another name."""
    number = re.fullmatch(r"rating_([0-9]{1,4}(?:\.[0-9]+)?)", name, re.ASCII)
    if number is None or not LEAST_RATING <= float(number[1]) <= MOST_RATING:
        raise ValueError(f"no profile {name!r}: such as {FORM}")
    return float(number[1])


def profile_row(name: str) -> Floats:
    """Returns the network's input for a profile's name, HIGHEST for an empty one: [1].

    Raises ValueError, quoting another name.
    """
    return np.array([rating_named(name) if name else HIGHEST], np.float32)


def rating_row(rating: float) -> Floats:
    """Returns the network's input for players of a rating: [1].

    Raises ValueError for a rating out of range.
    """
    if not LEAST_RATING <= rating <= MOST_RATING:
        raise ValueError(f"rating {rating:g} is not {LEAST_RATING:g}..{MOST_RATING:g}")
    return np.array([rating], np.float32)
