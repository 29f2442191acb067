"""The pool of a player's rating for a game, by the profile of the server."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from typing import Any

import pytest

from bots.ogs.game_data import OgsPlayer
from bots.ogs.opponents import OpponentBook, pools_of

RATINGS = {
    "version": 5,
    "overall": {"rating": 1500, "deviation": 70},
    "9x9": {"rating": 1300, "deviation": 100},
    "live-9x9": {"rating": 1350, "deviation": 161},
    "live-19x19": {"rating": 1600, "deviation": 150},
    "correspondence-19x19": {"rating": 1900, "deviation": 80},
}
ANN = OgsPlayer(7, "ann", 20.0)


class Profiles:
    """The server's profiles: that of one player."""

    async def get(self, _path: str) -> Mapping[str, Any]:
        return {"ratings": RATINGS, "ui_class": "bot"}


@pytest.mark.parametrize(
    ("rated_by", "game", "pool"),
    [
        ("game", ("live", 9, 9), "9x9"),  # that of live games is provisional
        ("game", ("live", 19, 19), "live-19x19"),
        ("game", ("correspondence", 19, 19), "overall"),
        ("game", ("rapid", 13, 13), "overall"),
        ("overall", ("live", 19, 19), "overall"),
        ("live-19x19", ("blitz", 9, 9), "live-19x19"),
        ("live-9x9", ("live", 9, 9), "overall"),
    ],
)
def test_the_nearest_firm_pool_is_the_first_belief(
    rated_by: str, game: tuple[str, int, int], pool: str
) -> None:
    book = OpponentBook(rated_by)
    asyncio.run(book.look_up(ANN.id, Profiles()))
    found = book.describe(ANN, pools_of(*game))
    assert (found.pool, found.rating) == (pool, RATINGS[pool]["rating"])  # type: ignore[index]
    assert found.is_bot
