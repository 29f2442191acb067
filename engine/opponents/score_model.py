"""The score model: the win rate in a game of Go, by its score and both players' strengths.

    logit = apart(phase) * (level - strength) * ln 10 / 400 + lead / scale
    scale^2 = certain + search * deviation^2
            + spread(class) * open + free_spread(class) * free

The lead and its deviation are those of a search between strong players, in points. The number of
open points, 1 - |ownership| summed over the board, measures the moves to come; each of them adds
the variance of the two players' losses. Weak players play on where strong ones have nothing left to
play for, and lose settled points: until a player passes, each free point, an empty one that is no
eye, adds the variance of such a move. phase is the settled share of the board, 1 - open / area;
class is the mean strength of the two players. On a settled board the lead is counted by the owners
of the points (engine.opponents.standing). In a decided game the scale is a fraction of a
point, and the win rate is near 0 or 1. The result of a game kept even is evidence by its margin
(engine.opponents.margin_model).

The interface is that of engine.opponents.win_model. The tables are fitted to games
(engine.training.opponents.score_model) and stored in the ladder's file. Values are those of the
side at `level`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from engine.opponents import margin_model
from engine.opponents.elo_grid import Grid
from engine.opponents.margin_model import MarginModel, game_level
from engine.opponents.move_likelihood import basis
from engine.opponents.outcome_tables import GameEnd, LadderTables, PlayedTurn, read_tables, sigmoid
from engine.util.elo import POINTS_PER_LOG_ODDS
from engine.values import Floats, Standing

KIND = "score"  # of the tables in a ladder's file
PHASES = np.array([0.0, 0.3, 0.6, 0.85, 1.0])  # knots; `apart` is linear between them
CLASSES = np.array([0.0, 0.25, 0.5, 0.75, 1.0])  # knots: 0 random play, 1 the ladder's highest
SETTLING = 6.0  # exponent of the phase in the effect of levels on the evenness of moves
EDGE = 3  # beyond the board, beside the colors of stones
COUNTED_FROM, COUNTED = 0.9, 0.98  # phases: up to the first the search's lead counts alone


def open_points(ownership: Floats) -> float:
    """Returns the number of points without a certain owner. ownership: [H*W], -1..1."""
    return float((1.0 - np.abs(ownership)).sum())


def free_points(stones: NDArray[np.uint8]) -> int:
    """Returns the number of empty points that are no eye of one point.

    stones: [height, width], 0 empty, 1 Black, 2 White.
    """
    around = np.pad(stones, 1, constant_values=EDGE)
    beside = (around[:-2, 1:-1], around[2:, 1:-1], around[1:-1, :-2], around[1:-1, 2:])
    eyes = [
        np.logical_and.reduce([(place == color) | (place == EDGE) for place in beside])
        for color in (1, 2)
    ]
    return int(np.count_nonzero((stones == 0) & ~eyes[0] & ~eyes[1]))


def counted_share(phase: float) -> float:
    """Returns the weight of the points counted by their owners in our lead, 0..1.

    On a settled board the network's lead is still wrong by one or two points, its ownership by
    none. The rest of the open points and of the lead's deviation is then noise too.
    """
    return min(max((phase - COUNTED_FROM) / (COUNTED - COUNTED_FROM), 0.0), 1.0)


@dataclass(frozen=True, slots=True, eq=False)
class ScoreModel(LadderTables):
    """The fitted tables of one ladder of Go."""

    apart: NDArray[np.float64]  # [phases] weight of the difference in Elo; the first is 1
    spread: NDArray[np.float64]  # [classes] points^2 an open point, above 0
    free_spread: NDArray[np.float64]  # [classes] points^2 a free point, at least 0
    search: float  # factor on the variance of the search's score, above 0
    certain: float  # points^2, of a settled board, above 0
    leaning: NDArray[np.float64]  # [classes] log odds added to the target win rate
    margins: MarginModel = field(default_factory=margin_model.guessed)  # of games kept even

    def __post_init__(self) -> None:
        """Raises ValueError on tables of wrong shapes or bad values."""
        by_class = self.spread, self.free_spread, self.leaning
        shapes = self.apart.shape, *(table.shape for table in by_class)
        if shapes != (PHASES.shape, *[CLASSES.shape] * len(by_class)):
            raise ValueError(f"tables of {shapes}")
        values = (*self.apart, *np.concatenate(by_class), self.search, self.certain)
        if not np.isfinite(values).all():
            raise ValueError("a table is not finite")
        if not self.highest_elo > self.lowest_elo:
            raise ValueError(f"classes from {self.lowest_elo} to {self.highest_elo} Elo")
        if self.apart[0] != 1 or (self.apart < 0).any():
            raise ValueError("a stronger level wins less, or not by Elo at the start")
        if (self.spread <= 0).any() or min(self.search, self.certain) <= 0:
            raise ValueError("a variance is not above 0")
        if (self.free_spread < 0).any():
            raise ValueError("a variance is below 0")

    @property
    def level_share(self) -> float:
        """The share of a level's effect that balancing leaves."""
        return self.margins.share

    @property
    def gain_deviation(self) -> float:
        """The deviation of a level's gain by steering from opponent to opponent, in Elo."""
        return self.margins.gain_deviation

    def unsettled(self, _phase: float) -> float:
        """Returns 0: the lead contains the advantage of the start, such as handicap and komi."""
        return 0.0

    def win_rates(
        self, level_elo: float, strengths: Grid, standing: Standing, *, closeness: float = 1.0
    ) -> Grid:
        """Returns [strengths] the win rate of play at level_elo against each; a draw counts half.

        closeness: weight of the lead, 0..1.
        """
        return sigmoid(
            self._by_levels(level_elo, strengths, standing)
            + closeness * self._by_lead(level_elo, strengths, standing)
        )

    def balanced_win_rates(
        self, level_elo: float, strengths: Grid, standing: Standing, *, closeness: float = 1.0
    ) -> Grid:
        """Returns [strengths] the win rate of a level that keeps the game even from here.

        Balancing leaves only the share of the levels' effect, and the lead as it is. closeness: of
        the balancing too.
        """
        theirs = self.balanced_strengths(strengths, closeness)
        return sigmoid(
            self._share(closeness) * self._by_levels(level_elo, theirs, standing)
            + closeness * self._by_lead(level_elo, theirs, standing)
        )

    def planned_win_rates(
        self, level_elo: float, strengths: Grid, standing: Standing, *, closeness: float = 1.0
    ) -> Grid:
        """Returns [strengths] the win rate for the choice of a level that keeps the game even.

        At the start it is balanced_win_rates. Later a level makes up for a lead as one without
        balancing does: another level would rise and fall more.
        """
        theirs = self.balanced_strengths(strengths, closeness)
        return sigmoid(
            self._share(closeness)
            * (
                self._by_levels(level_elo, theirs, standing)
                + closeness * self._by_lead(level_elo, theirs, standing)
            )
        )

    def steered_win_rates(
        self,
        strengths: Grid,
        standing: Standing,
        *,
        level_elo: float | None = None,
        closeness: float = 1.0,
    ) -> Grid:
        """Returns [strengths] the win rate of a side that keeps the game even, against each.

        level_elo: of its play to the end; None: play as strong as the opponent's. With a level, the
        lead counts alone at first, and the levels count in full at the end: a lead that the level
        will lose by itself is no lead to give back. closeness: weight of the lead, 0..1.
        """
        if level_elo is None:
            return sigmoid(closeness * standing.lead / self.scale(strengths, standing))
        theirs = self.balanced_strengths(strengths, closeness)
        return sigmoid(
            standing.phase**SETTLING * self._by_levels(level_elo, theirs, standing)
            + closeness * self._by_lead(level_elo, theirs, standing)
        )

    def balanced_strengths(self, strengths: Grid, closeness: float = 1.0) -> Grid:
        """Returns [strengths] each strength less the gain of a level that keeps the game even."""
        return strengths - closeness * self.margins.gain_at(self.rank(strengths))

    def _share(self, closeness: float) -> float:
        return 1 - closeness * (1 - self.margins.share)

    def result_log_likelihood(self, turns: Sequence[PlayedTurn], end: GameEnd) -> Grid:
        """Returns [strengths] the log likelihood of the end of a game kept even.

        The level is that of the turns' start levels (margin_model.game_level).
        """
        level = game_level([turn.start_elo for turn in turns], [turn.standing for turn in turns])
        first, theirs = turns[0].standing, self.balanced_strengths(turns[0].strengths)
        ahead = self.log_odds(level, theirs, first)
        if end.margin is None:
            return self.margins.result_log_likelihood(ahead, end.points)
        rank = float(self.rank(np.array([level]))[0])
        return self.margins.log_likelihood(ahead, end.margin, rank, first.open_points)

    def log_odds(self, level_elo: float, strengths: Grid, standing: Standing) -> Grid:
        """Returns [strengths] the log odds of a win by play at level_elo, without balancing."""
        by_levels = self._by_levels(level_elo, strengths, standing)
        return by_levels + self._by_lead(level_elo, strengths, standing)

    def _by_levels(self, level_elo: float, strengths: Grid, standing: Standing) -> Grid:
        apart = float(basis([standing.phase], PHASES)[0] @ self.apart)
        return (level_elo - strengths) / POINTS_PER_LOG_ODDS * apart

    def _by_lead(self, level_elo: float, strengths: Grid, standing: Standing) -> Grid:
        return standing.lead / self.scale((level_elo + strengths) / 2, standing)

    def scale(self, elos: Grid, standing: Standing) -> Grid:
        """Returns [elos] the lead of one unit of log odds, in points, at these mean strengths."""
        ranks = self.rank(elos)
        variance: Grid = (
            self.certain
            + self.search * standing.deviation**2
            + np.interp(ranks, CLASSES, self.spread) * standing.open_points
            + np.interp(ranks, CLASSES, self.free_spread) * standing.free_points
        )
        return np.sqrt(variance)

    def leaning_at(self, elo: float) -> float:
        """Returns the correction, in log odds, of the target win rate against this Elo."""
        return self.value_at(elo, CLASSES, self.leaning)

    def to_json(self) -> dict[str, Any]:
        """Returns the tables as JSON values; from_json reads them."""
        return {
            "kind": KIND,
            "phases": PHASES.tolist(),
            "classes": CLASSES.tolist(),
            "lowest_elo": self.lowest_elo,
            "highest_elo": self.highest_elo,
            "apart": np.round(self.apart, 4).tolist(),
            "spread": np.round(self.spread, 5).tolist(),
            "free_spread": np.round(self.free_spread, 5).tolist(),
            "search": round(self.search, 5),
            "certain": round(self.certain, 5),
            "leaning": np.round(self.leaning, 4).tolist(),
            "margins": self.margins.to_json(),
        }

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Self:
        """Reads the values of to_json. Raises ValueError on anything else.

        Older tables have no margins and no `free_spread`.
        """
        usual = guessed(-1.0, 1.0).to_json()
        return read_tables(data, usual, ("kind", "phases", "classes"), cls._of_json, "score model")

    @classmethod
    def _of_json(cls, data: Mapping[str, Any]) -> Self:
        return cls(
            lowest_elo=float(data["lowest_elo"]),
            highest_elo=float(data["highest_elo"]),
            apart=np.asarray(data["apart"], dtype=np.float64),
            spread=np.asarray(data["spread"], dtype=np.float64),
            free_spread=np.asarray(
                data.get("free_spread", np.zeros(len(CLASSES))), dtype=np.float64
            ),
            search=float(data["search"]),
            certain=float(data["certain"]),
            leaning=np.asarray(data["leaning"], dtype=np.float64),
            margins=MarginModel.from_json(data.get("margins", margin_model.guessed().to_json())),
        )


def guessed(lowest_elo: float, highest_elo: float) -> ScoreModel:
    """Returns a guess for a ladder without fitted games: about the fit to 240 games on 9x9."""
    return ScoreModel(
        lowest_elo=lowest_elo,
        highest_elo=highest_elo,
        apart=np.array([1.0, 0.9, 0.5, 0.4, 0.2]),
        spread=np.array([20.0, 14.0, 3.5, 0.5, 0.2]),
        free_spread=np.array([3.0, 0.3, 0.01, 0.003, 0.003]),
        search=0.2,
        certain=0.1,
        leaning=np.zeros(len(CLASSES)),
    )


def with_one_spread(spread: float) -> ScoreModel:
    """Returns the guess with this variance an open point, in square points, for every class."""
    same = np.full(len(CLASSES), spread)
    return replace(guessed(-1.0, 1.0), spread=same, free_spread=np.zeros(len(CLASSES)))
