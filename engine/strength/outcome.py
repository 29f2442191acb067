"""The chance that a game under way is won, by how it stands and how strong both players are.

    logit = lead(phase) * lead + rate(phase, class) * logit(win rate)
            + apart(phase) * (level - strength) * ln 10 / 400

phase is the share of the game that was played; class is how strong the two are on average, for
between weak players a won position is far from won. At the start `apart` is 1 and the rest nothing:
there the chance is exactly Elo's. The tables are fitted to the ladder's games
(engine.training.outcome) and lie in its file. Values are of the side that plays at `level`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from engine.elo import POINTS_PER_LOG_ODDS
from engine.strength.evidence import basis
from engine.strength.posterior import Grid

PHASES = np.array([0.0, 0.1, 0.3, 0.6, 1.0])  # knots, between which the tables are interpolated
CLASSES = np.array([0.0, 0.35, 0.7, 1.0])  # knots: 0 the ladder's lowest, 1 its highest
LEAST_RATE = 0.01  # win rates nearer to 0 or 1 count as this


def unsettled(phase: float) -> float:
    """How much of what the players were given the tables leave out: all at the start, later none.

    From the second knot on it is in how the game stands.
    """
    return float(basis([phase], PHASES)[0, 0])


@dataclass(frozen=True, slots=True)
class Standing:
    """How a game stands, as the side sees it that is to be steered."""

    phase: float  # 0 at the start, 1 when the board is full
    win_rate: float  # 0..1, between strong equals
    lead: float  # of the score, in points

    @property
    def log_odds(self) -> float:
        """Of winning between strong equals."""
        rate = min(max(self.win_rate, LEAST_RATE), 1 - LEAST_RATE)
        return float(np.log(rate / (1 - rate)))


@dataclass(frozen=True, slots=True, eq=False)
class Outcome:
    """The fitted tables of one ladder."""

    lowest_elo: float  # of the ladder: where the classes begin
    highest_elo: float
    apart: NDArray[np.float64]  # [phases], the weight of the difference in Elo; the first is 1
    lead: NDArray[np.float64]  # [phases], the weight of a point of lead
    rate: NDArray[np.float64]  # [phases, classes], the weight of the win rate's log odds

    def __post_init__(self) -> None:
        """ValueError where the tables are of another shape, or not Elo's at the start."""
        shapes = (self.apart.shape, self.lead.shape, self.rate.shape)
        if shapes != ((len(PHASES),), (len(PHASES),), (len(PHASES), len(CLASSES))):
            raise ValueError(f"tables of {shapes}")
        if not self.highest_elo > self.lowest_elo:
            raise ValueError(f"classes from {self.lowest_elo} to {self.highest_elo} Elo")
        if self.apart[0] != 1 or self.lead[0] != 0 or self.rate[0].any():
            raise ValueError("at the start the chance is not Elo's")
        if not (self.apart > 0).all():
            raise ValueError("a stronger level does not always win more")

    def chances(
        self, level_elo: float, strengths: Grid, standing: Standing, *, closeness: float = 1.0
    ) -> Grid:
        """[strengths], how often play at level_elo wins from here against each; a draw is half.

        closeness: how much of the position's part counts, 0..1.
        """
        terms = terms_of(
            np.broadcast_to(level_elo, strengths.shape), strengths, standing, self.classes
        )
        position = terms[:, len(PHASES) :] @ np.concatenate((self.lead, self.rate.ravel()))
        logit = terms[:, : len(PHASES)] @ self.apart + closeness * position
        chances: Grid = 1 / (1 + np.exp(-logit))
        return chances

    @property
    def classes(self) -> tuple[float, float]:
        """The Elo of the lowest class and of the highest."""
        return self.lowest_elo, self.highest_elo

    def to_json(self) -> dict[str, Any]:
        """The tables as plain numbers; from_json reads them."""
        return {
            "phases": PHASES.tolist(),
            "classes": CLASSES.tolist(),
            "lowest_elo": self.lowest_elo,
            "highest_elo": self.highest_elo,
            "apart": np.round(self.apart, 4).tolist(),
            "lead": np.round(self.lead, 5).tolist(),
            "rate": np.round(self.rate, 4).tolist(),
        }

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Self:
        """What to_json wrote. ValueError where it is something else."""
        for name, knots in (("phases", PHASES), ("classes", CLASSES)):
            if data.get(name) != knots.tolist():
                raise ValueError(f"no table of outcomes: {name} {data.get(name)!r}")
        try:
            return cls(
                lowest_elo=float(data["lowest_elo"]),
                highest_elo=float(data["highest_elo"]),
                apart=np.asarray(data["apart"], dtype=np.float64),
                lead=np.asarray(data["lead"], dtype=np.float64),
                rate=np.asarray(data["rate"], dtype=np.float64),
            )
        except (KeyError, TypeError, ValueError) as error:
            raise ValueError(f"no table of outcomes: {error}") from error


def terms_of(
    levels: Grid, strengths: Grid, standing: Standing, classes: tuple[float, float]
) -> NDArray[np.float64]:
    """[pairs, values], what each number of the tables apart, lead and rate is multiplied by."""
    phases = basis([standing.phase], PHASES)[0]
    low, high = classes
    rank = basis(((levels + strengths) / 2 - low) / (high - low), CLASSES)
    apart = (levels - strengths)[:, None] / POINTS_PER_LOG_ODDS * phases
    lead = np.broadcast_to(standing.lead * phases, apart.shape)
    rate = standing.log_odds * phases[None, :, None] * rank[:, None, :]
    return np.concatenate((apart, lead, rate.reshape(len(levels), -1)), axis=1)


def guessed(lowest_elo: float, highest_elo: float) -> Outcome:
    """Tables for a ladder whose games nobody fitted: what such games are roughly like."""
    grown = np.array([0.0, 0.4, 0.7, 0.9, 1.0])
    return Outcome(
        lowest_elo=lowest_elo,
        highest_elo=highest_elo,
        apart=np.array([1.0, 0.95, 0.8, 0.55, 0.25]),
        lead=np.zeros(len(PHASES)),
        rate=grown[:, None] * np.array([0.15, 0.35, 0.7, 1.0])[None, :],
    )
