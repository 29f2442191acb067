"""The configuration of a bot on a Lichess-style server."""

from __future__ import annotations

import math

from bots.configuration import (
    BotConfiguration,
    ConfigurationError,
    ConfigurationRow,
    flag,
    names,
    number,
    one_of,
    text,
    texts,
    whole,
)
from bots.lichess.challenge_rules import ChallengeRules
from bots.lichess.game_link import LinkPolicy
from bots.lichess.server_table import SERVERS
from bots.lichess.variant_table import VARIANTS

MOST_SECONDS = 10_800.0  # on a clock of these servers
MOST_DAYS = 14.0  # a move
MOST_RATING = 5000.0
RULES = ChallengeRules()
POLICY = LinkPolicy()

ROWS = (
    ConfigurationRow("server", "name", one_of(*SERVERS), None, "The server: "
        f"{', '.join(SERVERS)}.", "playstrategy", is_required=True),
    ConfigurationRow("server", "url", text, None, "Another address of the server, for a test "
        "site.", "http://127.0.0.1:8080"),
    ConfigurationRow("server", "token", text, None, "A file with the API token, of the scope "
        "bot:play; without it systemd's credential `token` is read.",
        "/etc/sparring/lichess-token", is_required=True, is_secret=True),
    ConfigurationRow("server", "claims", one_of("victory", "draw", "none"), POLICY.claims, "The "
        "claim against an opponent who left the game."),
    ConfigurationRow("server", "abort_seconds", number(1, 3600), POLICY.abort_seconds, "The wait "
        "for the opponent's first move in a game with a clock; then the game is aborted."),
    ConfigurationRow("challenges", "variants", texts, (), "The variants that are accepted; empty: "
        f"all, {', '.join(VARIANTS)}.", ("standard", "chess960")),
    ConfigurationRow("challenges", "casual", flag, RULES.takes_casual, "Whether casual games are "
        "accepted."),
    ConfigurationRow("challenges", "rated", flag, RULES.takes_rated, "Whether rated games are "
        "accepted. A persona that adapts must not play them: the servers' terms forbid it."),
    ConfigurationRow("challenges", "bots", flag, RULES.takes_bots, "Whether bots are accepted."),
    ConfigurationRow("challenges", "people", flag, RULES.takes_people, "Whether people are "
        "accepted."),
    ConfigurationRow("challenges", "custom_starts", flag, RULES.takes_custom_starts, "Whether "
        "games with handicap stones, or from a position of chess, are accepted."),
    ConfigurationRow("challenges", "least_limit", number(0, MOST_SECONDS), RULES.limit[0], "The "
        "least seconds on each clock; 40 increments count where there is one."),
    ConfigurationRow("challenges", "most_limit", number(0, MOST_SECONDS), RULES.limit[1], "The "
        "most seconds on each clock."),
    ConfigurationRow("challenges", "least_increment", number(0, 180), RULES.increment[0], "The "
        "least seconds of an increment."),
    ConfigurationRow("challenges", "most_increment", number(0, 180), RULES.increment[1], "The "
        "most seconds of an increment."),
    ConfigurationRow("challenges", "correspondence", flag, RULES.takes_correspondence, "Whether "
        "games of correspondence are accepted."),
    ConfigurationRow("challenges", "least_days", number(1, MOST_DAYS), RULES.days[0], "The least "
        "days a move of correspondence."),
    ConfigurationRow("challenges", "most_days", number(1, MOST_DAYS), RULES.days[1], "The most "
        "days a move of correspondence."),
    ConfigurationRow("challenges", "unlimited", flag, RULES.takes_unlimited, "Whether games "
        "without any limit of time are accepted."),
    ConfigurationRow("challenges", "least_rating", number(0, MOST_RATING), None, "The least rating "
        "of a challenger.", 600.0),
    ConfigurationRow("challenges", "most_rating", number(0, MOST_RATING), None, "The most rating "
        "of a challenger.", 2400.0),
    ConfigurationRow("challenges", "games_per_player", whole(1, 100), RULES.games_per_player,
        "The most games at once against one player."),
    ConfigurationRow("challenges", "reserved_for_people", whole(0, 1000),
        RULES.reserved_for_people, "The concurrent games that bots cannot take."),
    ConfigurationRow("challenges", "blocked", names, (), "Players whose challenges are declined."),
    ConfigurationRow("challenges", "allowed", names, (), "The only players that are accepted; "
        "empty: everybody."),
)  # fmt: skip


def challenge_rules(configuration: BotConfiguration) -> ChallengeRules:
    """Returns the rules of a configuration; raises ConfigurationError."""

    def value(key: str) -> object:
        return configuration["challenges", key]

    variants = frozenset(configuration["challenges", "variants"] or VARIANTS)
    if unknown := sorted(variants - set(VARIANTS)):
        raise ConfigurationError(
            f"[challenges] variants: no variant {unknown[0]!r}; there are "
            f"{', '.join(sorted(VARIANTS))}"
        )
    least, most = value("least_rating"), value("most_rating")
    return ChallengeRules(
        variants=variants,
        takes_casual=bool(value("casual")),
        takes_rated=bool(value("rated")),
        takes_bots=bool(value("bots")),
        takes_people=bool(value("people")),
        takes_custom_starts=bool(value("custom_starts")),
        limit=_bounds(configuration, "limit"),
        increment=_bounds(configuration, "increment"),
        days=_bounds(configuration, "days"),
        takes_correspondence=bool(value("correspondence")),
        takes_unlimited=bool(value("unlimited")),
        rating=(
            -math.inf if least is None else configuration["challenges", "least_rating"],
            math.inf if most is None else configuration["challenges", "most_rating"],
        ),
        games_per_player=configuration["challenges", "games_per_player"],
        reserved_for_people=configuration["challenges", "reserved_for_people"],
        blocked=frozenset(configuration["challenges", "blocked"]),
        allowed=frozenset(configuration["challenges", "allowed"]),
    )


def link_policy(configuration: BotConfiguration) -> LinkPolicy:
    """Returns the conduct towards the server."""
    return LinkPolicy(
        claims=configuration["server", "claims"],
        abort_seconds=configuration["server", "abort_seconds"],
    )


def _bounds(configuration: BotConfiguration, key: str) -> tuple[float, float]:
    least = configuration["challenges", f"least_{key}"]
    most = configuration["challenges", f"most_{key}"]
    if least > most:
        raise ConfigurationError(f"[challenges] least_{key} {least:g} is over most_{key} {most:g}")
    return least, most
