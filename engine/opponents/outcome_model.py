"""The models of a game's result by game: the score model in Go, the win model in the others."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, Protocol

from engine.opponents import score_model, win_model
from engine.opponents.advantage import Advantage
from engine.opponents.elo_grid import Grid
from engine.opponents.outcome_tables import GameEnd, PlayedTurn
from engine.opponents.score_model import ScoreModel
from engine.opponents.win_model import WinModel
from engine.values import Standing

# From this phase on a win rate, or a rate of losses, of at most this share is final.
DECIDED_PHASE, DECIDED_SHARE = 0.9, 0.03


class OutcomeModel(Protocol):
    """The win rate in a game under way, by its standing and both players' strengths."""

    @property
    def level_share(self) -> float:
        """The share of a level's effect that balancing leaves, above 0."""
        ...

    @property
    def gain_deviation(self) -> float:
        """The deviation of a level's gain by steering from opponent to opponent, in Elo."""
        ...

    def unsettled(self, phase: float) -> float:
        """Returns the share of the initial advantage to add to the standing, 0..1."""
        ...

    def win_rates(
        self, level_elo: float, strengths: Grid, standing: Standing, *, closeness: float = 1.0
    ) -> Grid:
        """Returns [strengths] the win rate of play at level_elo against each; a draw counts half.

        closeness: weight of the standing, 0..1.
        """
        ...

    def steered_win_rates(
        self,
        strengths: Grid,
        standing: Standing,
        *,
        level_elo: float | None = None,
        closeness: float = 1.0,
    ) -> Grid:
        """Returns [strengths] the win rate of a side that keeps the game even, against each.

        level_elo: of its play to the end; None: play as strong as the opponent's.
        """
        ...

    def balanced_win_rates(
        self, level_elo: float, strengths: Grid, standing: Standing, *, closeness: float = 1.0
    ) -> Grid:
        """Returns [strengths] the win rate of a level that keeps the game even from here."""
        ...

    def planned_win_rates(
        self, level_elo: float, strengths: Grid, standing: Standing, *, closeness: float = 1.0
    ) -> Grid:
        """Returns [strengths] the win rate for the choice of a level that keeps the game even."""
        ...

    def result_log_likelihood(self, turns: Sequence[PlayedTurn], end: GameEnd) -> Grid:
        """Returns [strengths] the log likelihood of the end of a game of these turns, 1 or more."""
        ...

    def leaning_at(self, elo: float) -> float:
        """Returns the correction, in log odds, of the target win rate against this Elo."""
        ...

    def rank(self, elos: Grid) -> Grid:
        """Returns [elos] relative places: -1 the lowest, 0 random play, 1 the highest."""
        ...

    def to_json(self) -> dict[str, Any]:
        """Returns the tables as JSON values for a ladder's file."""
        ...


@dataclass(frozen=True, slots=True)
class OutcomeKind:
    """The makers of one class of models."""

    # Reads to_json's values. Raises ValueError on anything else.
    read: Callable[[Mapping[str, Any]], OutcomeModel]
    guessed: Callable[[float, float], OutcomeModel]  # (lowest Elo, highest Elo) -> a rough guess


USUAL = OutcomeKind(WinModel.from_json, win_model.guessed)
# Weights of the levels in a result. In chess the level carries the evenness. In dark chess a win
# rate tells little of who is stronger, and four games of five are drawn.
LEVELS_IN_CHESS, LEVELS_IN_DARK_CHESS = 0.8, 0.6
KINDS: dict[str, OutcomeKind] = {
    "go": OutcomeKind(ScoreModel.from_json, score_model.guessed),
    "chess": OutcomeKind(WinModel.from_json, partial(win_model.guessed, by_level=LEVELS_IN_CHESS)),
    "darkchess": OutcomeKind(
        WinModel.from_json, partial(win_model.guessed, by_level=LEVELS_IN_DARK_CHESS)
    ),
}


def kind_of(game: str) -> OutcomeKind:
    """Returns the row of a game."""
    return KINDS.get(game, USUAL)


def is_decided(standing: Standing, win_rate: float) -> bool:
    """Tests whether the result of a game is certain. win_rate: of our side by the outcome model."""
    return standing.phase >= DECIDED_PHASE and min(win_rate, 1 - win_rate) <= DECIDED_SHARE


def strengths_met(
    model: OutcomeModel, grid: Grid, advantage: Advantage, level_elo: float, standing: Standing
) -> Grid:
    """Returns [points] the grid with each strength's advantage against this level, in Elo."""
    return grid + model.unsettled(standing.phase) * advantage.between(level_elo, grid)
