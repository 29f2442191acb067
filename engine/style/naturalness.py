"""The naturalness budget: it restricts any strategy to moves that a person might play.

Each move has a probability under a reference policy and a loss; engine.play.steps.naturalness
computes both. A budget is two floors, the least probability and the greatest loss. If no move meets
both, they are relaxed together, half the probability and twice the loss at each step, until one
does. A level that draws moves keeps most of its play: for it the probability is relaxed first.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, field, fields
from typing import Any

import numpy as np
from numpy.typing import NDArray

from engine.networks.human_policy import check_profile

Numbers = NDArray[np.float64]  # [moves]
MOST_VISITS = 1_000_000
LEAST_FLOOR = (
    1e-6  # the least floor, in points or win rate; losses are expressed as multiples of the floor
)
LEAST_LOSS = 1e-9  # the loss of the best move, to keep logarithms finite
MOST_TOLD = 6  # relaxations; more are reported as no limit at all
NEVER = math.inf  # relaxations of a move that no floor allows


@dataclass(frozen=True, slots=True)
class Naturalness:
    """The limits on moves; they are relaxed where no move meets them."""

    probability: float = field(
        default=0.05,
        metadata={"about": "the least probability by the reference policy, 0 to 1"},
    )
    points: float = field(
        default=5.0,
        metadata={"about": "the greatest loss, in points of Go and discs of Othello"},
    )
    win_rate: float = field(
        default=0.2,
        metadata={"about": "the greatest loss in Connect4, of the win rate, 0 to 1"},
    )
    opening: float = field(
        default=2.0,
        metadata={
            "about": "the factor by which both limits are stricter at the first move, 1 or more"
        },
    )
    opening_until: float = field(
        default=0.2,
        metadata={"about": "the filled share of the board at the end of the opening, 0 to 1"},
    )
    ladders: bool = field(
        default=True,
        metadata={"about": "whether moves of Go that misread a ladder are left out"},
    )
    leaves: float = field(
        default=0.75,
        metadata={
            "about": "minimum share of a level's play, 0 to 1: the limits are relaxed until moves"
            " with this share of the level's probability are left; even games stay even instead"
        },
    )
    visits: int = field(
        default=100,
        metadata={"about": "visits of the search that estimates losses; at most a move's own"},
    )
    profile: str = field(
        default="",
        metadata={
            "about": "players whose moves count as natural: rank_5k, preaz_1d, proyear_1950; empty:"
            " those of the level's rank, else rank_9d"
        },
    )

    def __post_init__(self) -> None:
        """Raises ValueError, quoting a field of a wrong type or out of range."""
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
            check_profile(self.profile)

    def floors(self, phase: float, *, in_points: bool) -> Floors:
        """Returns the floors at a phase of the game, 0..1. The opening has stricter floors."""
        early = max(0.0, 1 - phase / self.opening_until) if self.opening_until else 0.0
        strictness = 1 + (self.opening - 1) * early
        loss = self.points if in_points else self.win_rate
        return Floors(min(1.0, self.probability * strictness), loss / strictness, in_points)


@dataclass(frozen=True, slots=True)
class Floors:
    """The limits on the present move."""

    probability: float  # least probability under the reference policy
    loss: float  # greatest loss, in points or in win rate
    in_points: bool = True

    def relaxed(self, times: int) -> Floors:
        """Returns the floors after `times` relaxations."""
        factor: float = 2.0**times
        return Floors(self.probability / factor, self.loss * factor, self.in_points)

    def unlikely(self, probabilities: Numbers) -> Numbers:
        """Returns the relaxations until each move meets the floor of the probability: [moves]."""
        if not self.probability:
            return np.zeros(len(probabilities))
        with np.errstate(divide="ignore"):
            return _steps(np.log2(self.probability / probabilities))

    def costly(self, losses: Numbers) -> Numbers:
        """Returns the relaxations until each move meets the floor of the loss: [moves].

        losses: [moves], NaN if unknown; an unknown loss counts as the greatest known one.
        """
        known = losses[~np.isnan(losses)]
        worst = float(known.max()) if len(known) else 0.0
        lost = np.maximum(np.where(np.isnan(losses), worst, losses), LEAST_LOSS)
        return _steps(np.log2(lost / self.loss))

    def __str__(self) -> str:
        """Returns both floors in words: "a probability of 2.5% and a loss of 10 points"."""
        probability = f"{100 * self.probability:.2g}%"
        return f"a probability of {probability} and a loss of {self.lost(self.loss)}"

    def lost(self, loss: float) -> str:
        """Returns a loss in words: "10 points", or "20% of the win rate"."""
        return f"{loss:.3g} points" if self.in_points else f"{loss:.0%} of the win rate"


def _steps(relaxations: Numbers) -> Numbers:
    """Returns whole numbers of relaxations, 0 or more."""
    return np.ceil(np.maximum(relaxations, 0.0))


@dataclass(frozen=True, slots=True, eq=False)
class Excess:
    """The excess of each move of a position over the floors. Illegal moves have any value."""

    floors: Floors
    likely: Numbers  # [moves] probability under the reference policy
    losses: Numbers  # [moves] in points or win rate, NaN if unknown
    minimum_share: float  # least share of a level's probability to remain
    inexcusable: frozenset[int] = frozenset()  # moves that no relaxation allows

    @property
    def times(self) -> Numbers:
        """The relaxations until each move meets both floors, or NEVER: [moves]."""
        return np.maximum(self.floors.unlikely(self.likely), self._costly)

    @property
    def _costly(self) -> Numbers:
        """The relaxations until each move meets the floor of the loss, or NEVER: [moves]."""
        costly = self.floors.costly(self.losses)
        costly[list(self.inexcusable)] = NEVER
        return costly

    def allowed(self, moves: NDArray[np.intp]) -> tuple[NDArray[np.intp], str]:
        """Returns the playable ones of the moves [n], and the relaxation as a sentence, or ""."""
        times = self.times[moves]
        least = float(times.min(initial=NEVER))
        remark = "" if least == 0 else f"No natural move was left. {self._relaxation_text(least)}."
        return moves[times <= least], remark

    def filtered(self, moves: NDArray[np.intp], probabilities: Numbers) -> Numbers:
        """Returns [n] the probabilities of a level's moves without those over the limits.

        The limits are relaxed until the remaining moves hold the `minimum_share`: random play makes
        moves that no person would. The probability is relaxed first, as a weak level need not lose
        more by such a move.
        """
        unlikely, costly = self.floors.unlikely(self.likely[moves]), self._costly[moves]
        wanted = self.minimum_share * float(probabilities.sum())
        for dearest in np.unique(costly):
            for least_likely in np.unique(unlikely):
                allowed = (costly <= dearest) & (unlikely <= least_likely)
                filtered: Numbers = np.where(allowed, probabilities, 0.0)
                left = float(filtered.sum())
                if left > 0 and left >= wanted:
                    return filtered / left
        return probabilities

    def remark(self, move: int) -> str:
        """Returns a sentence on a move over the limits; "" for any other move."""
        costly = self.floors.costly(self.losses)[move] > 0 and not np.isnan(self.losses[move])
        unlikely = self.floors.unlikely(self.likely)[move] > 0
        loses = f"loses {self.floors.lost(self.losses[move])}" if costly else ""
        if not unlikely:
            return f"It {loses}." if costly else ""
        few = f"People play it with a probability of {self.likely[move]:.1%}"
        return f"{few}, and it {loses}." if costly else f"{few}."

    def relaxations(
        self, moves: NDArray[np.intp], probabilities: Numbers
    ) -> Iterator[tuple[Numbers, float, str]]:
        """Yields probabilities [n] without the moves over the limits, relaxed step by step.

        Each comes with the remaining share of all probability, and the relaxation as a sentence
        without its full stop, or "".
        """
        strained = self.times[moves]
        for least in np.unique(strained):
            filtered = np.where(strained <= least, probabilities, 0.0)
            if filtered.sum() > 0:
                share = float(filtered.sum() / probabilities.sum())
                yield (
                    filtered / filtered.sum(),
                    share,
                    self._relaxation_text(float(least)) if least > 0 else "",
                )

    def _relaxation_text(self, times: float) -> str:
        if times > MOST_TOLD:
            return "The limits of naturalness are lifted"
        return f"The limits of naturalness are relaxed to {self.floors.relaxed(int(times))}"
