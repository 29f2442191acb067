"""The rows of the configuration that all bots share, and the settings made of them."""

from __future__ import annotations

from dataclasses import dataclass

from bots.configuration import (
    BotConfiguration,
    ConfigurationRow,
    flag,
    number,
    text,
    whole,
)
from bots.engine_connection import EngineAddress
from bots.engine_session import PlayOptions
from bots.game_policy import AWAY, GamePolicy

MOST_GAMES = 1000
DAY = 86_400.0  # seconds
USUAL = GamePolicy()

COMMON_ROWS = (
    ConfigurationRow("engine", "socket", text, "", "The Unix socket of the running engine; "
        "empty: the usual one."),
    ConfigurationRow("engine", "host", text, "", "The host of the engine's TCP port for GTP; "
        "empty: the socket. Over TCP the engine remembers no opponents."),
    ConfigurationRow("engine", "port", whole(1, 65_535), 2600, "The engine's TCP port for GTP."),
    ConfigurationRow("engine", "token", text, None, "A file with the token of the engine's TCP "
        "port; without it systemd's credential `token` is read.", is_secret=True),
    ConfigurationRow("engine", "persona", text, None, "The persona, a text of `sparring personas`; "
        "without it the engine's own.", "even"),
    ConfigurationRow("engine", "visits", whole(1, 10**9), None, "The visits of a move; without it "
        "as many as its time allows.", 400),
    ConfigurationRow("engine", "seconds", number(0.01, DAY), None, "The seconds of a move without "
        "a clock.", 5.0),
    ConfigurationRow("games", "concurrent", whole(1, MOST_GAMES), 1, "The most games at once."),
    ConfigurationRow("games", "greeting", text, "", "A line said once at the start of a game.",
        "Hello. I adapt to your level; say help for what you can ask me."),
    ConfigurationRow("games", "farewell", text, "", "A line said at the end of a game.",
        "Thank you for the game."),
    ConfigurationRow("games", "away", text, AWAY, "A line said once while the engine is away."),
    ConfigurationRow("games", "chat", flag, True, "Whether the bot says anything at all."),  # noqa: FBT003
    ConfigurationRow("games", "rematches", flag, True, "Whether the bot challenges a player who "  # noqa: FBT003
        "asks for a rematch, where the server lets it."),
    ConfigurationRow("games", "undos", whole(0, 1000), 0, "The undos granted in a game."),
    ConfigurationRow("games", "least_move_seconds", number(0, 600), 0.0, "The shortest time before "
        "a move is sent."),
    ConfigurationRow("games", "think_share", number(0, 0.2), 0.0, "The share of its main time that "
        "the bot takes for a move, from the tenth move on, as people do; it falls by 1% a move.",
        0.025),
    ConfigurationRow("games", "pace_seconds", number(0, 3600), 0.0, "The seconds of a usual move "
        "at a person's pace: more for hard moves, less for easy ones, within the time planned for "
        "the move; 0: a move comes as soon as it is chosen.", 2.0),
    ConfigurationRow("games", "finish", flag, False, "Whether the games under way end before the "  # noqa: FBT003
        "bot stops at a signal; a second signal stops it at once."),
    ConfigurationRow("games", "lag_seconds", number(0, 60), USUAL.least_lag_seconds, "The time "
        "reserved for the way of a move to the server, beside the lag measured."),
    ConfigurationRow("games", "most_pause_seconds", number(1, 30 * DAY), 300.0, "A longer pause is "
        "ended, where the server lets a player do that."),
    ConfigurationRow("connection", "reconnect_seconds", number(0.1, 3600), 1.0, "The first pause "
        "before a new connection; it doubles up to the longest one."),
    ConfigurationRow("connection", "longest_reconnect_seconds", number(0.1, 3600), 120.0,
        "The longest pause before a new connection."),
    ConfigurationRow("connection", "metrics_port", whole(1, 65_535), None, "A port of this machine "
        "for Prometheus; without it no metrics are served.", 9101),
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class ServiceSettings:
    """The settings of a bot beside those of its server."""

    address: EngineAddress
    play: PlayOptions
    policy: GamePolicy
    most_games: int
    reconnect_seconds: float
    longest_reconnect_seconds: float
    metrics_port: int | None
    finishes_games: bool = False  # before it stops at a signal


def service_settings(configuration: BotConfiguration) -> ServiceSettings:
    """Returns the settings of the common rows."""
    token = configuration["engine", "token"]
    return ServiceSettings(
        address=EngineAddress(
            path=configuration["engine", "socket"],
            host=configuration["engine", "host"],
            port=configuration["engine", "port"],
            token="" if token is None else token.reveal(),
        ),
        play=PlayOptions(
            configuration["engine", "persona"],
            configuration["engine", "visits"],
            configuration["engine", "seconds"],
            configuration["games", "pace_seconds"],
        ),
        policy=GamePolicy(
            least_move_seconds=configuration["games", "least_move_seconds"],
            think_share=configuration["games", "think_share"],
            least_lag_seconds=configuration["games", "lag_seconds"],
            most_pause_seconds=configuration["games", "most_pause_seconds"],
            most_undos=configuration["games", "undos"],
            greeting=configuration["games", "greeting"],
            farewell=configuration["games", "farewell"],
            away=configuration["games", "away"],
            chats=configuration["games", "chat"],
            challenges=configuration["games", "rematches"],
        ),
        most_games=configuration["games", "concurrent"],
        finishes_games=configuration["games", "finish"],
        reconnect_seconds=configuration["connection", "reconnect_seconds"],
        longest_reconnect_seconds=configuration["connection", "longest_reconnect_seconds"],
        metrics_port=configuration["connection", "metrics_port"],
    )
