"""The ratings of the players, read once from the server and kept for a while."""

from __future__ import annotations

import logging
import math
import time
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Protocol

from bots.fields import WireError, mapping, number
from bots.game_setup import OnlineOpponent
from bots.ogs.game_data import OgsPlayer
from bots.ogs.rest_client import RestRefusedError, RestUnreachableError
from bots.ogs.time_settings import CORRESPONDENCE

log = logging.getLogger("sparring.bot")

SERVER = "ogs"
OVERALL, OF_THE_GAME = "overall", "game"  # values of rated_by
# Deviations above this are shown with a question mark. Below it a rating of the board says more
# than any overall one: strengths spread by 120 Elo around it, and by 200 around an overall one.
PROVISIONAL = 160.0
KEPT_SECONDS = 3600.0
MOST_KEPT = 2000  # players
# The number of a rank follows from a rating by 23.15 log(rating / 525); 30 is 1 dan.
RANK_SCALE, RANK_ZERO = 23.15, 525.0


class ProfileSource(Protocol):
    """Reads objects of the REST interface."""

    async def get(self, path: str) -> Mapping[str, Any]:
        """Returns the object at a path."""


def rating_of_rank(rank: float) -> float:
    """Returns the rating of a rank's number.

    >>> [round(rating_of_rank(rank), 1) for rank in (20, 29, 30)]
    [1245.5, 1837.4, 1918.5]
    """
    return RANK_ZERO * math.exp(min(max(rank, -100.0), 100.0) / RANK_SCALE)


def pools_of(speed: str, width: int, height: int) -> tuple[str, ...]:
    """Returns the server's pools of ratings for a game, the nearest first.

    >>> pools_of("live", 9, 9), pools_of("correspondence", 19, 19)
    (('live-9x9', '9x9', 'overall'), ('19x19', 'overall'))
    """
    size = f"{width}x{height}"
    own = () if speed == CORRESPONDENCE else (f"{speed}-{size}",)  # won with books and help
    return (*own, size, OVERALL)


class OpponentBook:
    """The players met, by identity.

    rated_by: the pool of the rating for the first belief. "game": the nearest one to the game whose
    rating is not provisional, else the overall one.
    """

    def __init__(
        self, rated_by: str = OF_THE_GAME, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._rated_by, self._clock = rated_by, clock
        self._profiles: dict[int, tuple[float, Mapping[str, Any]]] = {}  # with the time of reading

    async def look_up(self, player_id: int, source: ProfileSource) -> None:
        """Reads a player's profile unless it is fresh; a failure leaves the rank alone."""
        known = self._profiles.get(player_id)
        if known is not None and self._clock() - known[0] < KEPT_SECONDS:
            return
        try:
            profile = await source.get(f"players/{player_id}")
        except (RestRefusedError, RestUnreachableError, WireError) as error:
            log.warning("no rating of player %d: %s", player_id, error)
            return
        self._profiles.pop(player_id, None)
        used = {name: profile.get(name) for name in ("ratings", "ui_class")}
        self._profiles[player_id] = self._clock(), used
        if len(self._profiles) > MOST_KEPT:
            del self._profiles[next(iter(self._profiles))]

    def describe(self, player: OgsPlayer, pools: Sequence[str]) -> OnlineOpponent:
        """Returns the opponent with its rating, else with the rating of its rank.

        pools: those of the game, the nearest first.
        """
        profile = self._profiles.get(player.id, (0.0, {}))[1]
        try:
            return self._rated(player, profile, pools)
        except WireError as error:
            log.warning("the rating of player %d cannot be read: %s", player.id, error)
        rating = None if player.rank is None else rating_of_rank(player.rank)
        return self._opponent(player, rating=rating)

    def _rated(
        self, player: OgsPlayer, profile: Mapping[str, Any], pools: Sequence[str]
    ) -> OnlineOpponent:
        """Raises WireError without a readable rating."""
        ratings = mapping(profile.get("ratings"), "ratings")
        wanted = pools if self._rated_by == OF_THE_GAME else (self._rated_by,)
        pool = next((pool for pool in wanted if _is_firm(ratings.get(pool))), OVERALL)
        glicko = mapping(ratings.get(pool), pool)
        deviation = number(glicko.get("deviation"), "deviation")
        games = glicko.get("games_played")
        return self._opponent(
            player,
            pool=pool,
            rating=number(glicko.get("rating"), "rating"),
            deviation=deviation,
            games=None if games is None else int(number(games, "games_played")),
            is_provisional=deviation > PROVISIONAL,
            is_bot="bot" in str(profile.get("ui_class", "")).split(),
        )

    def _opponent(self, player: OgsPlayer, *, pool: str = OVERALL, **values: Any) -> OnlineOpponent:  # noqa: ANN401
        return OnlineOpponent(player.username, SERVER, str(player.id), pool, **values)


def _is_firm(rating: object) -> bool:
    """Tests whether the server has a rating that is not provisional."""
    deviation = rating.get("deviation") if isinstance(rating, dict) else None
    return isinstance(deviation, int | float) and deviation <= PROVISIONAL
