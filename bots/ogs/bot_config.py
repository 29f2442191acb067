"""The messages by which the bot presents itself: bot/config, bot/status and its profile."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping

from bots.ogs.acceptance import AcceptanceRules, SpeedLimits
from bots.ogs.connection import BotAccount
from bots.ogs.time_settings import SPEEDS

# The systems of bot/config -> field of the game -> name of the range.
SHOWN: Mapping[str, Mapping[str, str]] = {
    "simple": {"per_move": "per_move_time_range"},
    "byoyomi": {
        "main_time": "main_time_range",
        "period_time": "period_time_range",
        "periods": "periods_range",
    },
    "fischer": {
        "initial_time": "initial_time_range",
        "max_time": "max_time_range",
        "time_increment": "time_increment_range",
    },
}


def bot_config(
    account: BotAccount, rules: AcceptanceRules, *, is_hidden: bool, least_move_seconds: float
) -> dict[str, object]:
    """Returns the data of bot/config, version 2; it has no secret."""
    shown = {
        system for limits in rules.speeds.values() for system in limits.ranges if system in SHOWN
    }
    sizes = rules.board_sizes
    return {
        "_config_version": 2,
        "hidden": is_hidden or rules.decline_new_challenges,
        "bot_id": account.id,
        "username": account.username,
        "allowed_time_control_systems": [system for system in SHOWN if system in shown],
        "allowed_board_sizes": sizes if isinstance(sizes, str) else sorted(sizes),
        **{f"allowed_{speed}_settings": _settings(rules.speeds.get(speed)) for speed in SPEEDS},
        "allow_ranked": rules.allow_ranked,
        "allow_unranked": rules.allow_unranked,
        "allowed_rank_range": list(rules.rank_names),
        "allow_ranked_handicap": rules.most_ranked_handicap > 0,
        "allow_unranked_handicap": rules.most_unranked_handicap > 0,
        "allowed_komi_range": list(rules.komi),
        "decline_new_challenges": rules.decline_new_challenges,
        "min_move_time": round(least_move_seconds * 1000),
        "max_games_per_player": rules.most_games_per_player,
    }


def _settings(limits: SpeedLimits | None) -> dict[str, object] | None:
    """Returns the settings of one speed; None where no such games are played."""
    if limits is None or limits.concurrent_games < 1:
        return None
    systems: dict[str, object] = {
        system: {name: list(limits.ranges[system][field]) for field, name in names.items()}
        for system, names in SHOWN.items()
        if system in limits.ranges
    }
    return {"concurrent_games": limits.concurrent_games, **systems}


def bot_status(by_speed: Counter[str]) -> dict[str, int]:
    """Returns the data of bot/status."""
    return {f"ongoing_{speed}_count": by_speed[speed] for speed in SPEEDS}


def profile_text(rules: AcceptanceRules) -> str:
    """Returns the text for the bot's profile page; the operator puts it there."""
    sizes = rules.board_sizes
    boards = "all" if sizes == "all" else "all square"
    if not isinstance(sizes, str):
        boards = ", ".join(f"{side}x{side}" for side in sorted(sizes))
    speeds = [speed for speed in SPEEDS if _settings(rules.speeds.get(speed))]
    return (
        "I am Sparring, a program that plays to your level: I watch your moves and results, choose "
        "moves that keep the game even, and remember you at the next game. My own rating mixes "
        "games at all levels, so it says nothing about the strength that you will meet. "
        "Choose a game without handicap. In the chat of a game you may ask: level, why, stronger, "
        f"weaker, stay, rematch, help. Boards: {boards}. Speeds: {', '.join(speeds) or 'none'}."
    )
