"""The chance that a game under way is won, by how it stands and how strong both players are.

    logit = apart(phase) * (level - strength) * ln 10 / 400 + lead(phase) * lead
            + sum over readings r of rate(r, phase, class) * logit(r)

phase is the share of the game that was played; class is how strong the two are on average. What a
strong search reads in a position says little of how weak players will finish it: there the games
count that such players would play from it (Standing.greedy, .careless). At the start `apart` is 1
and the rest nothing: there the chance is exactly Elo's.

That is of play at one level to the end. Who keeps the game even has no level of his own, and gives
leads away that he may not get back: his chance has steering(phase, class) for the first term, the
class being the opponent's. As a lead can be given back at will but not taken, he aims at
leaning(class) above the wanted chance. All tables are fitted to games
(engine.training.opponents.win_model) and lie in the ladder's file. Values are of the side that
plays at `level`, or keeps the game even.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from engine.opponents.move_likelihood import basis
from engine.opponents.posterior import Grid
from engine.util.elo import POINTS_PER_LOG_ODDS
from engine.values import Standing

PHASES = np.array([0.0, 0.1, 0.3, 0.6, 1.0])  # knots, between which the tables are interpolated
# Knots of the class: -1 the ladder's lowest, 0 random play, 1 its highest.
CLASSES = np.array([-1.0, 0.0, 1 / 3, 2 / 3, 1.0])
READINGS = ("search", "greedy", "careless")
LEAST_SHARES = np.array([0.01, 0.02, 0.02])  # readings nearer to 0 or 1 count as this


def unsettled(phase: float) -> float:
    """How much of what the players were given the tables leave out: all at the start, later none.

    From the second knot on it is in how the game stands.
    """
    return float(basis([phase], PHASES)[0, 0])


def log_odds(standing: Standing) -> NDArray[np.float64]:
    """[READINGS] of winning between equals who are strong, greedy, careless."""
    rates = np.array([standing.win_rate, standing.greedy, standing.careless])
    rates = np.clip(rates, LEAST_SHARES, 1 - LEAST_SHARES)
    odds: NDArray[np.float64] = np.log(rates / (1 - rates))
    return odds


@dataclass(frozen=True, slots=True, eq=False)
class WinModel:
    """The fitted tables of one ladder."""

    lowest_elo: float  # of the ladder: where the classes begin
    highest_elo: float
    apart: NDArray[np.float64]  # [phases], the weight of the difference in Elo; the first is 1
    lead: NDArray[np.float64]  # [phases], the weight of a point of lead
    rate: NDArray[np.float64]  # [readings, phases, classes], the weights of their log odds
    steering: NDArray[np.float64]  # [phases, classes], the log odds of who keeps the game even
    leaning: NDArray[np.float64]  # [classes], log odds that he must aim higher for even games

    def __post_init__(self) -> None:
        """ValueError where the tables are of another shape, or not Elo's at the start."""
        shapes = (self.apart.shape, self.lead.shape, self.rate.shape, self.steering.shape)
        phases, both = (len(PHASES),), (len(PHASES), len(CLASSES))
        if (*shapes, self.leaning.shape) != (
            *(phases, phases, (len(READINGS), *both), both),
            (len(CLASSES),),
        ):
            raise ValueError(f"tables of {shapes}")
        tables = (self.apart, self.lead, self.rate, self.steering, self.leaning)
        if not all(np.isfinite(table).all() for table in tables):
            raise ValueError("a table is not finite")
        if not self.highest_elo > self.lowest_elo:
            raise ValueError(f"classes from {self.lowest_elo} to {self.highest_elo} Elo")
        if self.apart[0] != 1 or self.lead[0] or self.rate[:, 0].any() or self.steering[0].any():
            raise ValueError("at the start the chance is not Elo's")
        if not (self.apart > 0).all():
            raise ValueError("a stronger level does not always win more")
        if (self.lead < 0).any() or (self.rate < 0).any():
            raise ValueError("a better position wins less")

    def chances(
        self, level_elo: float, strengths: Grid, standing: Standing, *, closeness: float = 1.0
    ) -> Grid:
        """[strengths], how often play at level_elo wins from here against each; a draw is half.

        closeness: how much of the position's part counts, 0..1.
        """
        phases = basis([standing.phase], PHASES)[0]
        position = self._position((level_elo + strengths) / 2, standing, phases)
        apart = (level_elo - strengths) / POINTS_PER_LOG_ODDS * (phases @ self.apart)
        return _sigmoid(apart + closeness * position)

    def steered_chances(
        self, strengths: Grid, standing: Standing, *, closeness: float = 1.0
    ) -> Grid:
        """[strengths], how often who keeps the game even from here on wins against each."""
        phases = basis([standing.phase], PHASES)[0]
        steering = np.interp(self.rank(strengths), CLASSES, phases @ self.steering)
        position = self._position(strengths, standing, phases) + steering
        return _sigmoid(closeness * position)

    def _position(self, elos: Grid, standing: Standing, phases: NDArray[np.float64]) -> Grid:
        """[elos], the log odds of how it stands between players who are so strong on average.

        phases: the weights of the knots in this phase.
        """
        by_class = log_odds(standing) @ (phases @ self.rate)
        position: Grid = np.interp(self.rank(elos), CLASSES, by_class)
        position += standing.lead * float(phases @ self.lead)
        return position

    def leaning_at(self, elo: float) -> float:
        """By how many log odds more than the wanted ones to aim at against somebody so strong."""
        return float(np.interp(self.rank(np.array([elo])), CLASSES, self.leaning)[0])

    def rank(self, elos: Grid) -> Grid:
        """Where they are between the ladder's lowest, random play and its highest: -1..1."""
        low, high = max(-self.lowest_elo, 1.0), max(self.highest_elo, 1.0)
        rank: Grid = np.where(elos < 0, elos / low, elos / high)
        return rank

    def to_json(self) -> dict[str, Any]:
        """The tables as plain numbers; from_json reads them."""
        return {
            "phases": PHASES.tolist(),
            "classes": CLASSES.round(4).tolist(),
            "readings": list(READINGS),
            "lowest_elo": self.lowest_elo,
            "highest_elo": self.highest_elo,
            "apart": np.round(self.apart, 4).tolist(),
            "lead": np.round(self.lead, 5).tolist(),
            "rate": np.round(self.rate, 4).tolist(),
            "steering": np.round(self.steering, 4).tolist(),
            "leaning": np.round(self.leaning, 4).tolist(),
        }

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Self:
        """What to_json wrote. ValueError where it is something else."""
        usual = guessed(-1.0, 1.0).to_json()
        for name in ("phases", "classes", "readings"):
            if data.get(name) != usual[name]:
                raise ValueError(f"no table of outcomes: {name} {data.get(name)!r}")
        try:
            return cls(
                lowest_elo=float(data["lowest_elo"]),
                highest_elo=float(data["highest_elo"]),
                apart=np.asarray(data["apart"], dtype=np.float64),
                lead=np.asarray(data["lead"], dtype=np.float64),
                rate=np.asarray(data["rate"], dtype=np.float64),
                steering=np.asarray(data["steering"], dtype=np.float64),
                leaning=np.asarray(data["leaning"], dtype=np.float64),
            )
        except (LookupError, TypeError, ValueError, OverflowError) as error:
            raise ValueError(f"no table of outcomes: {error}") from error


def _sigmoid(log_odds: Grid) -> Grid:
    chances: Grid = 1 / (1 + np.exp(-log_odds))
    return chances


def guessed(lowest_elo: float, highest_elo: float) -> WinModel:
    """Tables for a ladder whose games nobody fitted: what such games are roughly like."""
    grown = np.array([0.0, 0.4, 0.7, 0.9, 1.0])
    soon = np.array([0.0, 0.8, 1.0, 1.0, 1.0])  # games to the end are as likely as they say
    rate = (
        grown[:, None] * np.array([0.1, 0.1, 0.3, 0.7, 1.0]),
        soon[:, None] * np.array([0.2, 0.3, 0.6, 0.2, 0.0]),
        soon[:, None] * np.array([0.7, 0.7, 0.1, 0.0, 0.0]),
    )
    return WinModel(
        lowest_elo=lowest_elo,
        highest_elo=highest_elo,
        apart=np.array([1.0, 0.95, 0.8, 0.55, 0.25]),
        lead=np.zeros(len(PHASES)),
        rate=np.stack(rate),
        steering=np.zeros((len(PHASES), len(CLASSES))),
        leaning=np.zeros(len(CLASSES)),
    )
