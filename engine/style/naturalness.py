"""The naturalness budget: which of the moves a person might play, whatever is played for.

Knows numbers a move: how likely a reference policy finds it and what it loses. Does not know games,
networks or searches: engine.play.steps.naturalness fetches the numbers. A budget is two floors, on
the probability and on the loss. Where no move keeps both they are relaxed together, the probability
halved and the loss doubled, as often as it takes until one does.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, field, fields
from typing import Any

import numpy as np
from numpy.typing import NDArray

from engine.networks.human_profile import profile_named

Numbers = NDArray[np.float64]  # [moves]
MOST_VISITS = 1_000_000
LEAST_FLOOR = 1e-6  # of points and win rate: losses are told as multiples of these
LEAST_LOSS = 1e-9  # what is lost with the best move
MOST_TOLD = 6  # times that floors are relaxed; beyond there is hardly any
NEVER = math.inf  # times that floors must be relaxed for a move that none keeps


@dataclass(frozen=True, slots=True)
class Naturalness:
    """What a move must be to be played while any other is."""

    probability: float = field(
        default=0.05,
        metadata={"about": "the least chance that the reference policy gives it, 0 to 1"},
    )
    points: float = field(
        default=5.0,
        metadata={"about": "the most that it loses, in points of Go and discs of Othello"},
    )
    win_rate: float = field(
        default=0.2,
        metadata={"about": "the most that it loses in Connect4, of the win rate, 0 to 1"},
    )
    opening: float = field(
        default=2.0,
        metadata={"about": "how many times as strict both are at the first move, 1 or more"},
    )
    opening_until: float = field(
        default=0.2,
        metadata={"about": "the share of the board at which the opening has ended, 0 to 1"},
    )
    ladders: bool = field(
        default=True,
        metadata={"about": "whether in Go moves that misread a ladder are left out"},
    )
    leaves: float = field(
        default=0.75,
        metadata={
            "about": "how much of a level's play it leaves, 0 to 1: there it is relaxed until moves"
            " with so much of the level's chance are left; even games are kept even instead"
        },
    )
    visits: int = field(
        default=100,
        metadata={"about": "of the search that tells what moves lose, of a move's own at most"},
    )
    profile: str = field(
        default="",
        metadata={
            "about": "whom KataGo's human networks are to imitate: rank_5k, preaz_1d, proyear_1950"
        },
    )

    def __post_init__(self) -> None:
        """ValueError quotes the field that cannot be."""
        for each in fields(self):
            value: Any = getattr(self, each.name)
            kind = type(each.default)
            numeric = kind is float and isinstance(value, int) and not isinstance(value, bool)
            if type(value) is not kind and not numeric:
                raise ValueError(f"{each.name} {value!r} is no {kind.__name__}")
        for name in ("probability", "win_rate", "opening_until", "leaves"):
            if not 0 <= getattr(self, name) <= 1:
                raise ValueError(f"{name} {getattr(self, name)!r} is not 0..1")
        if not (math.isfinite(self.points) and self.points >= LEAST_FLOOR):
            raise ValueError(f"points {self.points!r} is not above 0")
        if not (math.isfinite(self.opening) and self.opening >= 1):
            raise ValueError(f"opening {self.opening!r} is not 1 or more")
        if not self.win_rate >= LEAST_FLOOR:
            raise ValueError(f"win_rate {self.win_rate!r} is not above 0")
        if not 1 <= self.visits <= MOST_VISITS:
            raise ValueError(f"visits {self.visits!r} is not one of 1..{MOST_VISITS}")
        if self.profile:
            profile_named(self.profile)

    def floors(self, phase: float, *, in_points: bool) -> Floors:
        """The floors in a game of that phase, 0..1: an opening is controlled more gently."""
        early = max(0.0, 1 - phase / self.opening_until) if self.opening_until else 0.0
        strictness = 1 + (self.opening - 1) * early
        loss = self.points if in_points else self.win_rate
        return Floors(min(1.0, self.probability * strictness), loss / strictness, in_points)


@dataclass(frozen=True, slots=True)
class Floors:
    """What is asked of a move now."""

    probability: float  # the least, by the reference policy
    loss: float  # the most, in points or of the win rate
    in_points: bool = True

    def relaxed(self, times: int) -> Floors:
        """The same after that many steps."""
        factor: float = 2.0**times
        return Floors(self.probability / factor, self.loss * factor, self.in_points)

    def times(self, probabilities: Numbers, losses: Numbers) -> Numbers:
        """[moves] how often the floors must be relaxed until the move keeps both.

        losses: NaN where nobody looked; such a move is taken to lose as much as any.
        """
        known = losses[~np.isnan(losses)]
        worst = float(known.max()) if len(known) else 0.0
        lost = np.maximum(np.where(np.isnan(losses), worst, losses), LEAST_LOSS)
        with np.errstate(divide="ignore"):
            unlikely = np.log2(self.probability / probabilities) if self.probability else lost * 0
        steps = np.maximum(unlikely, np.log2(lost / self.loss))
        times: Numbers = np.ceil(np.maximum(steps, 0.0))
        return times

    def __str__(self) -> str:
        """The two in words: "a probability of 2.5% and a loss of 10 points"."""
        lost = f"{self.loss:.3g} points" if self.in_points else f"{self.loss:.0%} of the win rate"
        return f"a probability of {100 * self.probability:.2g}% and a loss of {lost}"


@dataclass(frozen=True, slots=True, eq=False)
class Excess:
    """How far each move of a position is beyond the floors."""

    floors: Floors
    times: Numbers  # [moves] as Floors.times, NEVER where nothing excuses it; any where not legal
    leaves: float  # of a level's chance

    def allowed(self, moves: NDArray[np.intp]) -> tuple[NDArray[np.intp], str]:
        """Those of the moves that may be played, and what had to be relaxed, as sentences or ""."""
        least = float(self.times[moves].min(initial=NEVER))
        told = "" if least == 0 else f"No natural move was left. {self._told(least)}."
        return moves[self.times[moves] <= least], told

    def filtered(self, moves: NDArray[np.intp], chances: Numbers) -> tuple[Numbers, str]:
        """Chances of the moves without those that are not fair, and what had to be relaxed.

        Relaxed until the moves that are left had a share of `leaves`, so that a level stays one:
        who plays at random makes moves that nobody would.
        """
        for kept, share, told in self.relaxations(moves, chances):
            if share >= self.leaves:
                return kept, f"{told} for the level." if told else ""
        return chances, ""

    def relaxations(
        self, moves: NDArray[np.intp], chances: Numbers
    ) -> Iterator[tuple[Numbers, float, str]]:
        """Chances without the moves that are not fair, floors relaxed further and further.

        With each the share of all chances that is left, and what was relaxed, as a sentence without
        its full stop, or "".
        """
        strained = self.times[moves]
        for least in np.unique(strained):
            kept = np.where(strained <= least, chances, 0.0)
            if kept.sum() > 0:
                share = float(kept.sum() / chances.sum())
                yield kept / kept.sum(), share, self._told(float(least)) if least > 0 else ""

    def _told(self, times: float) -> str:
        if times > MOST_TOLD:
            return "The limits of naturalness are put aside"
        return f"The limits of naturalness are relaxed to {self.floors.relaxed(int(times))}"
