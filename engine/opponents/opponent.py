"""One opponent from game to game: the posterior of its strength, and a few other numbers.

A finished game changes them here. A game under way is in engine.opponents.tracker, storage in
engine.opponents.opponent_record.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field, replace
from typing import Any, Self

from engine.opponents.elo_grid import Grid, finite
from engine.opponents.opponent_store import EloEstimate
from engine.opponents.posterior import Posterior
from engine.opponents.rating_prior import RatingPrior
from engine.opponents.server_rating import ServerRating
from engine.strength.elo_scale import EloScale
from engine.strength.softmax_index import IndexState

SECONDS_A_DAY = 86400.0
SURPLUS_DECAY = 0.95  # factor from one game to the next
MOST_GAMES, MOST_SECONDS = 1e9, 1e11  # accepted from JSON; the seconds are since 1970
UNHURRIED_SECONDS = 30.0  # time for a move; more time does not add strength
HURRIED_SECONDS = 0.1  # time for a move; less time does not cost strength
# Deviation of the change in strength with half the time for a move, or twice. Some players lose
# much by haste and others little: another pace widens the posterior and does not move it.
PACE_ELO = 40.0


@dataclass(frozen=True, slots=True)
class Opponent:
    """An opponent on one kind of board."""

    name: str
    posterior: Posterior
    games: int = 0  # finished games
    index: IndexState = field(
        default_factory=IndexState
    )  # strength index, adjusted by games played at it
    last_game_seconds: float | None = None  # end of the last game, since 1970
    pace_seconds: float = UNHURRIED_SECONDS  # time for a move in the last game
    surplus: float = 0.0  # our points above the target over all games, older games count less
    # The prior by the server's rating, part of the posterior; None: the prior of strangers.
    prior: RatingPrior | None = None
    first_rating: ServerRating | None = None  # by the server, at the first meeting
    scale: EloScale | None = None  # of the posterior's Elo; None: unknown

    @property
    def estimate(self) -> EloEstimate:
        """The mean and the 95% interval of the strength."""
        return EloEstimate(self.posterior.mean, *self.posterior.interval())

    def rated(self, prior: RatingPrior, rating: ServerRating, before: RatingPrior) -> Opponent:
        """Returns the opponent with this prior by the server's rating in place of the one before.

        A prior counts once, however often the opponent is met. before: the prior in force where
        none by a rating was.
        """
        grid = self.posterior.grid
        change = prior.log_density(grid) - (self.prior or before).log_density(grid)
        return replace(
            self,
            posterior=self.posterior.reweighed(change),
            prior=prior,
            first_rating=self.first_rating or rating,
        )

    @property
    def likelihood(self) -> Posterior:
        """The belief by our games alone, without the prior by a rating."""
        if self.prior is None:
            return self.posterior
        return self.posterior.reweighed(-self.prior.log_density(self.posterior.grid))

    def meeting(self, now_seconds: float, pace_seconds: float = UNHURRIED_SECONDS) -> Opponent:
        """Returns the opponent at the start of another game.

        The days since the last game widen the posterior, as does another pace. The prior by a
        server's rating is of today and stays as it is. now_seconds: since 1970. pace_seconds: the
        opponent's time for a move.
        """
        pace = _within_reason(pace_seconds)
        met = replace(self, pace_seconds=pace)
        if self.last_game_seconds is None:
            return met
        days = max(0.0, now_seconds - self.last_game_seconds) / SECONDS_A_DAY
        change = PACE_ELO * abs(math.log2(pace / self.pace_seconds))
        later = self.likelihood.drifted(days, change)
        if self.prior is not None:
            later = later.reweighed(self.prior.log_density(later.grid))
        return replace(met, posterior=later)

    def after_game(
        self,
        *,
        points: float,
        level_elo: float | None,
        now_seconds: float,
        bonus_elo: float | Grid = 0.0,
        weight: float = 1.0,
        share: float = 1.0,
        by_index: bool = False,
        result_log_likelihood: Grid | None = None,
        target: float | None = None,
    ) -> Opponent:
        """Returns the opponent after a game.

        points: the opponent's, 1, 0.5 or 0. level_elo: of our play; None: unknown, and the result
        is no evidence. now_seconds: since 1970. bonus_elo: the opponent's advantage, one number or
        [points]. weight: of the result, 1 for a full game. share: exponent on the result's
        likelihood beside the moves of its game. by_index: we played by the strength index, and the
        result adjusts it. result_log_likelihood: [points] of a steered game; it replaces level_elo.
        target: our target win rate; None: there was none.
        """
        posterior, games = self.posterior, share * weight
        if result_log_likelihood is not None:
            posterior = posterior.after_steered_game(games * result_log_likelihood)
        elif level_elo is not None and games > 0:
            posterior = posterior.after_results(
                level_elo, games * points, bonus_elo=bonus_elo, games=games
            )
        return replace(
            self,
            posterior=posterior,
            games=self.games + 1,
            index=self.index.after_game(1 - points) if by_index else self.index,
            last_game_seconds=now_seconds,
            surplus=self.surplus
            if target is None
            else SURPLUS_DECAY * self.surplus + weight * (1 - points - target),
        )

    def with_evidence(self, before: Opponent, after: Opponent) -> Opponent:
        """Returns this opponent with the change from `before` to `after` added.

        Another session made this change at the same time.
        """
        times = [at for at in (self.last_game_seconds, after.last_game_seconds) if at is not None]
        return replace(
            self,
            posterior=self.posterior.with_evidence(before.posterior, after.posterior),
            games=self.games + after.games - before.games,
            index=self.index.with_change(before.index, after.index),
            last_game_seconds=max(times, default=None),
            pace_seconds=after.pace_seconds,
            surplus=self.surplus + after.surplus - before.surplus,
        )

    def to_json(self) -> dict[str, Any]:
        """Returns all fields as JSON values; from_json reads them."""
        return {
            "name": self.name,
            "posterior": self.posterior.to_json(),
            "games": self.games,
            "index": self.index.to_json(),
            "last_game_seconds": self.last_game_seconds,
            "pace_seconds": self.pace_seconds,
            "surplus": self.surplus,
            "prior": None if self.prior is None else self.prior.to_json(),
            "first_rating": None if self.first_rating is None else self.first_rating.to_json(),
            "scale": None if self.scale is None else self.scale.to_json(),
        }

    @classmethod
    def from_json(cls, data: dict[str, Any]) -> Self:
        """Reads the values of to_json. Raises ValueError on anything else."""
        try:
            last, prior = data["last_game_seconds"], data.get("prior")
            rating, scale = data.get("first_rating"), data.get("scale")
            return cls(
                name=str(data["name"]),
                posterior=Posterior.from_json(data["posterior"]),
                games=int(finite(data["games"], MOST_GAMES)),
                index=IndexState.from_json(data["index"]),
                last_game_seconds=None if last is None else finite(last, MOST_SECONDS),
                pace_seconds=_within_reason(finite(data.get("pace_seconds", UNHURRIED_SECONDS))),
                surplus=finite(data.get("surplus", 0.0)),
                prior=None if prior is None else RatingPrior.from_json(prior),
                first_rating=None if rating is None else ServerRating.from_json(rating),
                scale=None if scale is None else EloScale.from_json(scale),
            )
        except (LookupError, TypeError, ValueError, AttributeError) as error:
            raise ValueError(f"not an opponent: {error}") from error


def _within_reason(pace_seconds: float) -> float:
    """Returns the pace clipped to HURRIED_SECONDS..UNHURRIED_SECONDS."""
    return min(max(pace_seconds, HURRIED_SECONDS), UNHURRIED_SECONDS)
