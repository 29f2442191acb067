"""A challenge of the bot to the opponent of a game: the same game with the colors exchanged."""

from __future__ import annotations

from typing import Any

from bots.fields import integer, mapping
from bots.ogs.game_data import COLORS, RULES, GameData
from bots.ogs.time_settings import CORRESPONDENCE

ANY_RANK = 1000
SERVER_RULES = {ours: name for name, ours in RULES.items()}


def rematch_of(data: GameData, our_color: int) -> dict[str, Any]:
    """Returns the fields of the REST request players/ID/challenge, as the server's page sends them.

    our_color: the bot's in the game before.
    """
    settings = data.time_settings
    is_slow = settings.speed == CORRESPONDENCE
    times = {"system": settings.system, "speed": settings.speed, **settings.fields}
    return {
        "initialized": False,
        "min_ranking": -ANY_RANK,
        "max_ranking": ANY_RANK,
        "challenger_color": list(COLORS)[1 - our_color],
        "game": {
            "name": "Rematch",
            "rules": SERVER_RULES[data.rules],
            "ranked": data.is_ranked,
            "width": data.width,
            "height": data.height,
            "handicap": data.handicap,
            "komi_auto": "automatic" if data.is_ranked else "custom",
            "komi": None if data.is_ranked else data.komi,
            "disable_analysis": False,
            "initial_state": None,
            "private": False,
            "time_control": settings.system,
            "time_control_parameters": {**times, "time_control": settings.system,
                "pause_on_weekends": is_slow},
            "pause_on_weekends": is_slow,
        },
    }  # fmt: skip


def offered_game(answer: object) -> tuple[int, int]:
    """Returns the identities of the challenge and of its game; raises WireError."""
    data = mapping(answer, "challenge")
    game = data.get("game")
    number = game.get("id") if isinstance(game, dict) else game
    return integer(data.get("challenge"), "challenge"), integer(number, "game")
