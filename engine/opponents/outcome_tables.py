"""The common parts of the models of a game's result: turns, ends, places of an Elo, reading."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

import numpy as np

from engine.opponents.elo_grid import Grid
from engine.values import Standing

T = TypeVar("T")

MOST_LOG_ODDS = 700.0  # the exponential of more is no finite number


@dataclass(frozen=True, slots=True, eq=False)
class PlayedTurn:
    """A turn of ours in a game kept even."""

    start_elo: float  # our level by the belief of this turn and the standing of the first one
    strengths: Grid  # [strengths] of the opponent, with its advantage in Elo
    standing: Standing  # before our move


@dataclass(frozen=True, slots=True)
class GameEnd:
    """The end of a game, from our view."""

    points: float  # 1, 0.5 or 0
    margin: float | None = None  # points of the final score; None: unknown


@dataclass(frozen=True, slots=True, eq=False)
class LadderTables:
    """A ladder's ends; the tables of its classes lie between them."""

    lowest_elo: float
    highest_elo: float

    def rank(self, elos: Grid) -> Grid:
        """Returns [elos] relative places: -1 the lowest, 0 random play, 1 the highest."""
        low, high = max(-self.lowest_elo, 1.0), max(self.highest_elo, 1.0)
        ranks: Grid = np.where(elos < 0, elos / low, elos / high)
        return ranks

    def value_at(self, elo: float, classes: Grid, values: Grid) -> float:
        """Returns a table's value at this Elo. classes: [classes] relative places; values alike."""
        return float(np.interp(self.rank(np.array([elo])), classes, values)[0])


def sigmoid(log_odds: Grid) -> Grid:
    """Returns [points] the win rates of these log odds."""
    bounded = np.clip(log_odds, -MOST_LOG_ODDS, MOST_LOG_ODDS)
    win_rates: Grid = 1 / (1 + np.exp(-bounded))
    return win_rates


def read_tables(
    data: Mapping[str, Any],
    usual: Mapping[str, Any],
    same: Sequence[str],
    make: Callable[[Mapping[str, Any]], T],
    name: str,
) -> T:
    """Returns the model that `make` builds of JSON values.

    usual: values of a model of this class; those of `same` must be equal. name: of the class, in
    words. Raises ValueError on anything else.
    """
    for field in same:
        if data.get(field) != usual[field]:
            raise ValueError(f"not a {name}: {field} {data.get(field)!r}")
    try:
        return make(data)
    except (LookupError, TypeError, ValueError, OverflowError) as error:
        raise ValueError(f"not a {name}: {error}") from error
