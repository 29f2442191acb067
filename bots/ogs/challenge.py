"""A challenge to the bot, as a notification of the server tells it."""

from __future__ import annotations

from dataclasses import dataclass

from bots.fields import integer, mapping, number, truth
from bots.ogs.game_data import OgsPlayer, read_player, read_side
from bots.ogs.messages import Notification
from bots.ogs.time_settings import OgsTimeSettings, read_time_settings

AUTOMATIC = -1  # a handicap by the difference of the ranks


@dataclass(frozen=True, slots=True)
class OgsChallenge:
    """One challenge."""

    id: int
    game_id: int  # of the game to come
    notification_id: str
    challenger: OgsPlayer
    width: int
    height: int
    is_ranked: bool
    handicap: int  # stones, or AUTOMATIC
    komi: float | None  # None: as the rules have it
    time_settings: OgsTimeSettings


def read_challenge(notification: Notification) -> OgsChallenge:
    """Returns the challenge of a notification. Raises WireError on a bad shape."""
    data = notification.fields
    user = dict(mapping(data.get("user"), "user"))
    if user.get("ranking") is None and user.get("rank") is None:
        user["ranking"] = data.get("min_ranking")
    komi, handicap = data.get("komi"), data.get("handicap")
    return OgsChallenge(
        id=integer(data.get("challenge_id"), "challenge_id"),
        game_id=integer(data.get("game_id"), "game_id"),
        notification_id=notification.id,
        challenger=read_player(user),
        width=read_side(data.get("width"), "width"),
        height=read_side(data.get("height"), "height"),
        is_ranked=truth(data.get("ranked"), "ranked"),
        handicap=0 if handicap is None else integer(handicap, "handicap"),
        komi=None if komi is None else number(komi, "komi"),
        time_settings=read_time_settings(data.get("time_control")),
    )
