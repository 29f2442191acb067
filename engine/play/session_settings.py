"""The settings of a session as frozen values, and the limit of a search within a budget."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from engine.games.go_ending import EndingSettings
from engine.personas import FULL, Persona
from engine.search.search import SearchSettings
from engine.values import Limit

if TYPE_CHECKING:
    from engine.search.endgame_tables import EndgameTables


@dataclass(frozen=True, slots=True)
class Budget:
    """The limits of a move in addition to the clocks; None is no limit."""

    visits: int | None = None  # visits of a search, unless the strength sets its own number
    max_visits: int | None = None  # the most visits of any search, whatever the strength sets
    max_playouts: int | None = None
    max_seconds: float | None = None
    # Time for a move without a clock or another limit; the most for a strength worth few visits.
    default_seconds: float = 5.0
    # Seconds of a person's usual move, from its beginning to its end, and the most of any move: the
    # engine plays no earlier. 0: as soon as it has chosen.
    delay_seconds: float = 0.0
    most_delay_seconds: float = 10.0
    lag_seconds: float = 1.0  # time held back from every move on the clock


@dataclass(frozen=True, slots=True)
class SessionSettings:
    """The settings of a session."""

    search: SearchSettings = field(default_factory=SearchSettings)  # replaced, never changed
    analysis_wide_root_noise: float = 0.0
    budget: Budget = field(default_factory=Budget)
    ending: EndingSettings = field(default_factory=EndingSettings)
    persona: Persona = FULL
    ponder: bool = False
    solve: bool = True  # play late positions by the exact solver, if the game has one
    chess_tables: EndgameTables | None = None  # None: those of the search


def limited(limit: Limit, budget: Budget, worth: int | None = None) -> Limit:
    """Returns the limit by a clock, reduced to the budget.

    worth: the visits of a move that nothing limits; None: as many as its time allows.
    """
    visits = [most for most in (budget.visits, budget.max_visits) if most is not None]
    limit = replace(
        limit,
        visits=min(visits, default=None),
        most_visits=budget.max_visits,
        playouts=budget.max_playouts,
    )
    most = budget.max_seconds
    if most is not None:
        limit = replace(
            limit,
            seconds=None if limit.seconds is None else min(limit.seconds, most),
            max_seconds=most if limit.max_seconds is None else min(limit.max_seconds, most),
        )
    if limit != Limit():
        return limit
    most = budget.default_seconds
    return Limit(seconds=most if worth is None else None, visits=worth, max_seconds=most)
