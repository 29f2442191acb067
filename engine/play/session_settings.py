"""What a session's thinking depends on beside the game itself, as frozen values.

Knows how a budget and a clock together limit a search; changes nothing.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from engine.games.go_ending import EndingSettings
from engine.personas import FULL, Persona
from engine.search.search import SearchSettings
from engine.values import Limit


@dataclass(frozen=True, slots=True)
class Budget:
    """How long to think where no clock says so, and how careful to be with clocks."""

    visits: int | None = None  # of a search, where the strength has no number of its own
    max_visits: int | None = None  # of every search, those with a number of its own included
    max_playouts: int | None = None
    max_seconds: float | None = None
    default_seconds: float = 5.0  # a move, where neither a clock nor another limit is set
    lag_seconds: float = 1.0  # kept back from every move on the clock


@dataclass(frozen=True, slots=True)
class SessionSettings:
    """What the session's thinking depends on."""

    search: SearchSettings = field(default_factory=SearchSettings)  # replaced, never changed
    analysis_wide_root_noise: float = 0.0
    budget: Budget = field(default_factory=Budget)
    ending: EndingSettings = field(default_factory=EndingSettings)
    persona: Persona = FULL
    ponder: bool = False
    solve: bool = True  # late positions are played by the exact solver, where the game has one


def limited(limit: Limit, budget: Budget) -> Limit:
    """The limit that a clock gives, within the budget as well."""
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
    if limit == Limit():
        limit = Limit(seconds=budget.default_seconds, max_seconds=budget.default_seconds)
    return limit
