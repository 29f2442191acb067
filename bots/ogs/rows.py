"""The configuration of the OGS bot: its rows, and the rules of acceptance made of them."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from bots.configuration import (
    BotConfiguration,
    ConfigurationRow,
    Read,
    flag,
    names,
    number,
    text,
    texts,
    whole,
)
from bots.ogs.acceptance import AcceptanceRules, Range, SpeedLimits
from bots.ogs.time_settings import SPEEDS, SYSTEMS

URL = "https://online-go.com"
DAY = 86_400.0  # seconds
LONGEST = 100 * DAY
WEEK = 7 * DAY
TOP_RANK = 999.0  # of professionals
_RANK = re.compile(r"([1-9]\d?)([kdp])")
_SIZES = re.compile(r"[1-9]\d?")

# Fields of all systems -> the usual ranges by speed, mostly those of gtp2ogs. Seconds or counts.
RANGES: dict[str, tuple[Range, Range, Range, Range]] = {
    "initial_time": ((5, 300), (5, 600), (10, 3600), (DAY, WEEK)),
    "time_increment": ((1, 10), (3, 30), (10, 300), (DAY / 2, WEEK)),
    "max_time": ((5, 600), (5, 7200), (5, 7200), (DAY, 4 * WEEK)),
    "main_time": ((0, 300), (0, 3600), (0, 3600), (0, WEEK)),
    "period_time": ((3, 10), (5, 30), (10, 300), (DAY / 2, WEEK)),
    "periods": ((1, 10), (1, 10), (1, 10), (1, 10)),
    "stones_per_period": ((1, 50), (1, 50), (1, 50), (1, 50)),
    "per_move": ((3, 10), (5, 30), (10, 300), (DAY / 2, WEEK)),
    "total_time": ((60, 600), (120, 1800), (300, 7200), (7 * DAY, 90 * DAY)),
}
CONCURRENT = {"blitz": 0, "rapid": 3, "live": 3, "correspondence": 20}
USUAL_SYSTEMS = ("fischer", "byoyomi", "simple")


def rank(value: object) -> str:
    """Reads a rank such as "30k", "1d" or "9p"."""
    if not isinstance(value, str) or _RANK.fullmatch(value) is None:
        raise ValueError("a rank such as 20k, 1d or 9p")
    return value


def rank_number(name: str) -> float:
    """Returns the number of a rank: 30 is 1 dan; professionals are beyond all others.

    >>> rank_number("30k"), rank_number("1k"), rank_number("1d"), rank_number("9p")
    (0.0, 29.0, 30.0, 999.0)
    """
    match = _RANK.fullmatch(name)
    if match is None or match[2] == "p":
        return TOP_RANK
    return float(30 - int(match[1]) if match[2] == "k" else 29 + int(match[1]))


def pair(read: Read) -> Callable[[object], tuple[object, ...]]:
    """Returns a reader of ranges: the least and the most, each by another reader."""

    def read_pair(value: object) -> tuple[object, ...]:
        if not isinstance(value, list) or len(value) != 2:
            raise ValueError("a range, [least, most]")
        return read(value[0]), read(value[1])

    return read_pair


def sizes(value: object) -> tuple[str, ...]:
    """Reads the sizes of boards: "all", "square", or a list of sides."""
    if value in ("all", "square"):
        return (str(value),)
    if not isinstance(value, list):
        raise ValueError('"all", "square" or a list such as [9, 13, 19]')  # noqa: TRY004 - as all
    return tuple(str(whole(2, 25)(side)) for side in value)


def systems(value: object) -> tuple[str, ...]:
    """Reads a list of time systems."""
    words = texts(value)
    if set(words) - set(SYSTEMS):
        raise ValueError(f"a list of {', '.join(SYSTEMS)}")
    return words


def _speed_rows(speed: str, index: int) -> list[ConfigurationRow]:
    """Returns the rows of one speed."""
    rows = [
        ConfigurationRow(
            speed,
            "concurrent",
            whole(0, 1000),
            CONCURRENT[speed],
            f"The most {speed} games at once; 0: none.",
        ),
        ConfigurationRow(
            speed, "systems", systems, USUAL_SYSTEMS, f"The time systems of {speed} games."
        ),
    ]
    for name, ranges in RANGES.items():
        words = f"The {name.replace('_', ' ')} allowed, [least, most]."
        rows.append(ConfigurationRow(speed, name, pair(number(0, LONGEST)), ranges[index], words))
    return rows


ROWS = (
    ConfigurationRow("ogs", "url", text, URL, "The server; https://beta.online-go.com for tests."),
    ConfigurationRow("ogs", "username", text, None, "The bot's account. A moderator has to mark "
        "it as a bot.", "my-bot", is_required=True),
    ConfigurationRow("ogs", "key", text, None, "A file with the API key of the bot's profile page; "
        "without it systemd's credential `key` is read.", "/etc/sparring/ogs-key",
        is_required=True, is_secret=True),
    ConfigurationRow("ogs", "hidden", flag, False, "Leaves the bot out of the list of bots."),  # noqa: FBT003
    ConfigurationRow("ogs", "friends", flag, True, "Accepts requests of friendship."),  # noqa: FBT003
    ConfigurationRow("ogs", "rated_by", text, "game", "The rating for the first belief about a "
        "player: game (of the game's board and speed where it is no provisional one, else the "
        "overall one), or a name of the server such as overall or live-9x9."),
    ConfigurationRow("ogs", "analysis", flag, False, "Writes the engine's analysis of each move to "  # noqa: FBT003
        "the game's Malkovich log, which spectators read at once and the opponent at the end."),
    ConfigurationRow("challenges", "decline_all", flag, False, "Declines all challenges, and "  # noqa: FBT003
        "hides the bot."),
    ConfigurationRow("challenges", "board_sizes", sizes, ("9", "13", "19"), "The sides of the "
        'boards, "square" or "all".', (9, 13, 19)),
    ConfigurationRow("challenges", "ranked", flag, True, "Plays ranked games. On OGS they change "  # noqa: FBT003
        "the bot's rating alone, and its page offers no other bots."),
    ConfigurationRow("challenges", "unranked", flag, True, "Plays unranked games."),  # noqa: FBT003
    ConfigurationRow("challenges", "ranks", pair(rank), ("30k", "9p"), "The ranks of challengers "
        "in ranked games."),
    ConfigurationRow("challenges", "most_ranked_handicap", whole(0, 9), 9, "The most handicap "
        "stones in ranked games."),
    ConfigurationRow("challenges", "most_unranked_handicap", whole(0, 9), 9, "The most handicap "
        "stones in unranked games."),
    ConfigurationRow("challenges", "automatic_handicap", flag, False, "Takes challenges with "  # noqa: FBT003
        "automatic handicap. The server computes it by the bot's rating, which means nothing for "
        "a bot that adapts."),
    ConfigurationRow("challenges", "komi", pair(number(-400, 400)), (-99.0, 99.0), "The komi "
        "allowed, [least, most]."),
    ConfigurationRow("challenges", "games_per_player", whole(0, 1000), 1, "The most games at once "
        "with one player; 0: no limit."),
    ConfigurationRow("challenges", "blocked", names, (), "Players who are never accepted: names "
        "or identities."),
    ConfigurationRow("challenges", "always", names, (), "Players who are accepted under any "
        "settings."),
    *(row for index, speed in enumerate(SPEEDS) for row in _speed_rows(speed, index)),
)  # fmt: skip


def acceptance_rules(configuration: BotConfiguration) -> AcceptanceRules:
    """Returns the rules of the configuration."""

    def of(key: str) -> object:
        return configuration["challenges", key]

    lowest, highest = configuration["challenges", "ranks"]
    return AcceptanceRules(
        speeds={speed: _limits(configuration, speed) for speed in SPEEDS},
        board_sizes=_board_sizes(configuration["challenges", "board_sizes"]),
        allow_ranked=bool(of("ranked")),
        allow_unranked=bool(of("unranked")),
        ranks=(rank_number(lowest), rank_number(highest)),
        rank_names=(lowest, highest),
        most_ranked_handicap=configuration["challenges", "most_ranked_handicap"],
        most_unranked_handicap=configuration["challenges", "most_unranked_handicap"],
        allow_automatic_handicap=bool(of("automatic_handicap")),
        komi=configuration["challenges", "komi"],
        most_games_per_player=configuration["challenges", "games_per_player"],
        blocked=frozenset(configuration["challenges", "blocked"]),
        always=frozenset(configuration["challenges", "always"]),
        decline_new_challenges=bool(of("decline_all")),
    )


def _limits(configuration: BotConfiguration, speed: str) -> SpeedLimits:
    ranges = {
        system: {
            field: configuration[speed, field]
            for field in (*SYSTEMS[system].seconds, *SYSTEMS[system].counts)
        }
        for system in configuration[speed, "systems"]
    }
    return SpeedLimits(configuration[speed, "concurrent"], ranges)


def _board_sizes(words: Sequence[str]) -> frozenset[int] | str:
    if all(_SIZES.fullmatch(word) for word in words):
        return frozenset(map(int, words))
    return words[0]
