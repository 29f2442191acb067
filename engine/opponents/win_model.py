"""The win model: the win rate in a game under way, by its standing and both players' strengths.

    logit = apart(phase) * (level - strength) * ln 10 / 400 + lead(phase) * lead
            + sum over readings r of rate(r, phase, class) * logit(r)

phase is the played share of the game; class is the mean strength of the two players. A strong
search's evaluation says little about a game between weak players: for these the rollouts of weak
players count (Standing.greedy, .careless). At the start `apart` is 1 and the other terms are 0: the
win rate is exactly Elo's.

The formula holds for play at one level to the end. A player that keeps the game even has no level,
and gives leads away without a sure return: its first term is steering(phase, class), with the
opponent's class. This player can give a lead back at will, but cannot take one. Its target is
therefore raised by leaning(class), in log odds. All tables are fitted to games
(engine.training.opponents.win_model) and stored in the ladder's file. Values are those of the side
at `level`, or of the side that keeps the game even.

Where the level carries the evenness, as in chess, and where chance moves the win rate, as in dark
chess, a game kept even counts by its level all the same. Its result then tells the strength as in
Go: by_level * log odds of a win at the start.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from engine.opponents.elo_grid import Grid
from engine.opponents.move_likelihood import basis
from engine.opponents.outcome_tables import GameEnd, LadderTables, PlayedTurn, read_tables, sigmoid
from engine.util.elo import POINTS_PER_LOG_ODDS, log_likelihood_of
from engine.values import Standing

PHASES = np.array([0.0, 0.1, 0.3, 0.6, 1.0])  # knots; the tables are linear between them
# Knots of the class: -1 the ladder's lowest, 0 random play, 1 its highest.
CLASSES = np.array([-1.0, 0.0, 1 / 3, 2 / 3, 1.0])
READINGS = ("search", "greedy", "careless")
LEAST_SURE = 1e-6  # win rates of a result are clipped to LEAST_SURE..1 - LEAST_SURE
LEAST_SHARES = np.array([0.01, 0.02, 0.02])  # readings are clipped this far from 0 and 1


def log_odds(standing: Standing) -> NDArray[np.float64]:
    """Returns [readings] the log odds of winning between equal strong, greedy, careless players."""
    rates = np.array([standing.win_rate, standing.greedy, standing.careless])
    rates = np.clip(rates, LEAST_SHARES, 1 - LEAST_SHARES)
    odds: NDArray[np.float64] = np.log(rates / (1 - rates))
    return odds


@dataclass(frozen=True, slots=True, eq=False)
class WinModel(LadderTables):
    """The fitted tables of one ladder."""

    apart: NDArray[np.float64]  # [phases] weight of the difference in Elo; the first is 1
    lead: NDArray[np.float64]  # [phases] weight of a point of lead
    rate: NDArray[np.float64]  # [readings, phases, classes] weights of the readings' log odds
    steering: NDArray[np.float64]  # [phases, classes] log odds of a side that keeps the game even
    leaning: NDArray[np.float64]  # [classes] log odds added to that side's target
    # Weight in a result of the log odds by the levels of the start; 0: the standings count instead.
    by_level: float = 0.0

    def __post_init__(self) -> None:
        """Raises ValueError on tables of wrong shapes or bad values."""
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
            raise ValueError("at the start the win rate is not Elo's")
        if not (self.apart > 0).all():
            raise ValueError("a stronger level does not always win more")
        if (self.lead < 0).any() or (self.rate < 0).any():
            raise ValueError("a better position wins less")
        if not 0 <= self.by_level <= 1:
            raise ValueError(f"the weight of the levels in a result is {self.by_level}")

    @property
    def level_share(self) -> float:
        """The share of a level's effect that balancing leaves: all of it."""
        return 1.0

    @property
    def gain_deviation(self) -> float:
        """The deviation of a level's gain by steering from opponent to opponent: 0."""
        return 0.0

    def unsettled(self, phase: float) -> float:
        """Returns the share of the initial advantage to add to the standing: 1 at first, later 0.

        From the second knot on the standing contains the advantage.
        """
        return float(basis([phase], PHASES)[0, 0])

    def win_rates(
        self, level_elo: float, strengths: Grid, standing: Standing, *, closeness: float = 1.0
    ) -> Grid:
        """Returns [strengths] the win rate of play at level_elo against each; a draw counts half.

        closeness: weight of the standing's terms, 0..1.
        """
        phases = basis([standing.phase], PHASES)[0]
        position = self._position((level_elo + strengths) / 2, standing, phases)
        apart = (level_elo - strengths) / POINTS_PER_LOG_ODDS * (phases @ self.apart)
        return sigmoid(apart + closeness * position)

    def steered_win_rates(
        self,
        strengths: Grid,
        standing: Standing,
        *,
        level_elo: float | None = None,  # noqa: ARG002 - such a side has no level
        closeness: float = 1.0,
    ) -> Grid:
        """Returns [strengths] the win rate of a side that keeps the game even, against each.

        level_elo does not count. closeness: weight of the standing's terms, 0..1.
        """
        phases = basis([standing.phase], PHASES)[0]
        steering = np.interp(self.rank(strengths), CLASSES, phases @ self.steering)
        position = self._position(strengths, standing, phases) + steering
        return sigmoid(closeness * position)

    def balanced_win_rates(
        self, level_elo: float, strengths: Grid, standing: Standing, *, closeness: float = 1.0
    ) -> Grid:
        """Returns win_rates: balancing gives a lead away as well as it takes one."""
        return self.win_rates(level_elo, strengths, standing, closeness=closeness)

    def planned_win_rates(
        self, level_elo: float, strengths: Grid, standing: Standing, *, closeness: float = 1.0
    ) -> Grid:
        """Returns win_rates."""
        return self.win_rates(level_elo, strengths, standing, closeness=closeness)

    def result_log_likelihood(self, turns: Sequence[PlayedTurn], end: GameEnd) -> Grid:
        """Returns [strengths] the log likelihood of the end of a game kept even.

        With by_level the game has the mean of its turns' start levels. Without it the game has no
        level of its own: its level falls as the game is won. Each turn has a win rate, and the
        turns share one result: the log likelihood is their mean. The margin does not count.
        """
        if self.by_level:
            level = float(np.mean([turn.start_elo for turn in turns]))
            ahead = (level - turns[0].strengths) / POINTS_PER_LOG_ODDS
            return log_likelihood_of(self.by_level * ahead, end.points)
        rates = np.stack([self.steered_win_rates(turn.strengths, turn.standing) for turn in turns])
        ours = np.clip(rates, LEAST_SURE, 1 - LEAST_SURE)
        likelihood: Grid = (end.points * np.log(ours) + (1 - end.points) * np.log(1 - ours)).mean(
            axis=0
        )
        return likelihood

    def _position(self, elos: Grid, standing: Standing, phases: NDArray[np.float64]) -> Grid:
        """Returns [elos] the standing's log odds between players of these mean strengths.

        phases: [phases] the weights of the knots in this phase.
        """
        by_class = log_odds(standing) @ (phases @ self.rate)
        position: Grid = np.interp(self.rank(elos), CLASSES, by_class)
        position += standing.lead * float(phases @ self.lead)
        return position

    def leaning_at(self, elo: float) -> float:
        """Returns the correction, in log odds, of the target win rate against this Elo."""
        return self.value_at(elo, CLASSES, self.leaning)

    def to_json(self) -> dict[str, Any]:
        """Returns the tables as JSON values; from_json reads them."""
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
            **({"by_level": round(self.by_level, 4)} if self.by_level else {}),
        }

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Self:
        """Reads the values of to_json. Raises ValueError on anything else."""
        usual = guessed(-1.0, 1.0).to_json()
        return read_tables(
            data, usual, ("phases", "classes", "readings"), cls._of_json, "win model"
        )

    @classmethod
    def _of_json(cls, data: Mapping[str, Any]) -> Self:
        return cls(
            lowest_elo=float(data["lowest_elo"]),
            highest_elo=float(data["highest_elo"]),
            apart=np.asarray(data["apart"], dtype=np.float64),
            lead=np.asarray(data["lead"], dtype=np.float64),
            rate=np.asarray(data["rate"], dtype=np.float64),
            steering=np.asarray(data["steering"], dtype=np.float64),
            leaning=np.asarray(data["leaning"], dtype=np.float64),
            by_level=float(data.get("by_level", 0.0)),
        )


def guessed(lowest_elo: float, highest_elo: float, *, by_level: float = 0.0) -> WinModel:
    """Returns a rough guess for a ladder without fitted games; by_level: as in WinModel."""
    grown = np.array([0.0, 0.4, 0.7, 0.9, 1.0])
    soon = np.array([0.0, 0.8, 1.0, 1.0, 1.0])  # weak rollouts are unbiased
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
        by_level=by_level,
    )
