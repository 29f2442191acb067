"""One opponent as the engine remembers them from game to game.

Knows what is kept and how a game changes it; not where it is kept, nor how a game went.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field, replace
from typing import Any, Self

from engine.opponents.posterior import Grid, Posterior, finite
from engine.strength.softmax_index import IndexState

SECONDS_A_DAY = 86400.0
KEPT = 0.95  # of a surplus, from one game to the next
MOST_GAMES, MOST_SECONDS = 1e9, 1e11  # of what is read; the seconds are since 1970
UNHURRIED_SECONDS = 30.0  # for a move: who has more plays no better
HURRIED_SECONDS = 0.1  # who has less plays no worse
# Deviation of what a strength changes by when there is half the time for a move, or twice. Some
# lose much by haste and others little, so that nobody is taken for weaker by it: it is less sure.
PACE_ELO = 40.0


@dataclass(frozen=True, slots=True)
class Opponent:
    """Somebody the engine plays against on one kind of board."""

    name: str
    posterior: Posterior
    games: int = 0  # finished ones
    index: IndexState = field(default_factory=IndexState)  # by results of games played by it
    last_game_seconds: float | None = None  # when the last game ended, since 1970
    pace_seconds: float = UNHURRIED_SECONDS  # for a move, in the last game
    surplus: float = 0.0  # games that we won beyond what was wanted, the older the less

    def meeting(self, now_seconds: float, pace_seconds: float = UNHURRIED_SECONDS) -> Opponent:
        """The opponent at the beginning of another game, with so much time for a move.

        The days since the last game have blurred what was known, and so has another pace.
        """
        pace = _within_reason(pace_seconds)
        met = replace(self, pace_seconds=pace)
        if self.last_game_seconds is None:
            return met
        days = max(0.0, now_seconds - self.last_game_seconds) / SECONDS_A_DAY
        change = PACE_ELO * abs(math.log2(pace / self.pace_seconds))
        return replace(met, posterior=self.posterior.drifted(days, change))

    def after_game(
        self,
        *,
        points: float,
        level_elo: float | None,
        now_seconds: float,
        bonus_elo: float | Grid = 0.0,
        weight: float = 1.0,
        by_index: bool = False,
        result_log_likelihood: Grid | None = None,
        target: float | None = None,
    ) -> Opponent:
        """The opponent after a game: their points (1, 0.5 or 0) against the level played.

        level_elo None: it is not known how strong we were, and the result tells nothing.
        bonus_elo: what they were given, one number or one a point of the grid. weight: how much of
        a game the result is worth.
        by_index: we played by the strength index, which follows. told: the result's log likelihood
        over the grid where the game was steered; a level's is not asked then. wanted: the chance
        with which we were to win it, where that was so.
        """
        posterior = self.posterior
        if result_log_likelihood is not None:
            posterior = posterior.after_outcome(weight * result_log_likelihood)
        elif level_elo is not None and weight > 0:
            posterior = posterior.after_results(
                level_elo, weight * points, bonus_elo=bonus_elo, games=weight
            )
        return replace(
            self,
            posterior=posterior,
            games=self.games + 1,
            index=self.index.after_game(1 - points) if by_index else self.index,
            last_game_seconds=now_seconds,
            surplus=self.surplus
            if target is None
            else KEPT * self.surplus + weight * (1 - points - target),
        )

    def with_evidence(self, before: Opponent, after: Opponent) -> Opponent:
        """Having learned what led from `before` to `after`, as somebody else did meanwhile."""
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
        """All of it as plain values; from_json reads them."""
        return {
            "name": self.name,
            "posterior": self.posterior.to_json(),
            "games": self.games,
            "index": self.index.to_json(),
            "last_game_seconds": self.last_game_seconds,
            "pace_seconds": self.pace_seconds,
            "surplus": self.surplus,
        }

    @classmethod
    def from_json(cls, data: dict[str, Any]) -> Self:
        """What to_json wrote. ValueError where it is something else."""
        try:
            last = data["last_game_seconds"]
            return cls(
                name=str(data["name"]),
                posterior=Posterior.from_json(data["posterior"]),
                games=int(finite(data["games"], MOST_GAMES)),
                index=IndexState.from_json(data["index"]),
                last_game_seconds=None if last is None else finite(last, MOST_SECONDS),
                pace_seconds=_within_reason(finite(data.get("pace_seconds", UNHURRIED_SECONDS))),
                surplus=finite(data.get("surplus", 0.0)),
            )
        except (LookupError, TypeError, ValueError, AttributeError) as error:
            raise ValueError(f"not an opponent: {error}") from error


def _within_reason(pace_seconds: float) -> float:
    """The pace, as far as it matters."""
    return min(max(pace_seconds, HURRIED_SECONDS), UNHURRIED_SECONDS)
