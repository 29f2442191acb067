"""The table of settings, and the options made of it.

One row makes an option of each command in its list, the variable SPARRING_NAME, and a key of the
file with its comment. The module imports little, as commands must start fast.
"""

from __future__ import annotations

import argparse

from engine.play.usual_limits import SESSIONS
from engine.util.backends import BACKENDS, PRECISIONS
from protocols.cli.argument_types import count, port, positive
from protocols.cli.setting_row import SettingRow
from protocols.server.log_choices import FORMATS, LEVELS
from protocols.server.usual_limits import IDLE_HOURS, QUERY_POSITIONS, RETURN_MINUTES

GAMES = ("gtp", "darkchess-gtp", "nboard", "terminal", "uci", "ugi")
ENGINES = (*GAMES, "analysis", "play", "serve")
LOADING = (*ENGINES, "doctor")
PLAYING = (*GAMES, "play", "serve")
STORING = (*PLAYING, "doctor", "opponents", "opponent")

CONFIG_HELP = (
    "configuration file; default: sparring/sparring.toml in the user's configuration, else "
    "/etc/sparring/sparring.toml"
)

# Each section of the file, and its title in a help page.
SECTIONS = {
    "networks": "networks",
    "play": "play, where the client sets nothing else",
    "opponents": "memory of opponents",
    "listen": "addresses",
    "limits": "limits",
    "log": "log and metrics",
}


def _network(key: str, game: str, kind: str = "") -> SettingRow:
    """Returns the row of a game's network in the file."""
    text = f"file of {game}'s network{kind}, for every board"
    return SettingRow("networks", f"networks_{key}", ENGINES, text, without="the bundled ones",
        metavar="FILE", example=f'"/srv/networks/{key}.bin.gz"', is_option=False,
        reloads=True)  # fmt: skip


_HUMAN = " of human moves"
# fmt: off
SETTINGS = (
    _network("go", "Go"),
    _network("othello", "Othello"),
    _network("connect4", "Connect4"),
    _network("chess", "chess"),
    _network("human_go", "Go", _HUMAN),
    _network("human_othello", "Othello", _HUMAN),
    _network("human_chess", "chess", _HUMAN),
    SettingRow("networks", "network", LOADING,
        "a KataGo network (.bin.gz, .txt.gz), one of ours (.safetensors) or lc0's (.pb.gz)",
        without="the bundled ones, by game and board", metavar="FILE", spellings=("-model",),
        is_key=False),
    SettingRow("networks", "human_network", (*PLAYING, "analysis"),
        "the network of human moves: KataGo's human network, another one, or in chess a folder of "
        "Maia's",
        without="the bundled ones, by game and board", metavar="FILE",
        spellings=("-human-model", "--reference"), is_key=False),
    SettingRow("networks", "chess_engine", ("uci", "play", "serve"),
        "program of UCI that values moves of chess in place of our search: people's moves are held "
        "back by its values, and full strength is its own", without="our own search",
        metavar="COMMAND", example='"stockfish"', reloads=True),
    SettingRow("networks", "chess_tables", ("uci", "play", "serve"),
        "folders of Syzygy endgame tables for chess, separated as in PATH: won endings are won by "
        "every persona, and searches know their results", without="none", metavar="DIR",
        example='"/srv/syzygy"', reloads=True),
    SettingRow("networks", "chess_book", ("uci", "play", "serve"),
        "opening book of Polyglot's format for chess: full strength plays its moves by their "
        "weights", without="none", metavar="FILE", example='"/srv/book.bin"', reloads=True),
    SettingRow("networks", "backend", LOADING, "program of the arithmetic", "auto",
        choices=BACKENDS),
    SettingRow("networks", "precision", LOADING, "number format of the arithmetic", "auto",
        choices=PRECISIONS),
    SettingRow("networks", "network_megabytes", ("serve",),
        "memory of networks and their caches; beyond it the least recently used network without a "
        "session goes", without="a quarter of the machine's", metavar="N", example="4096",
        read=count),

    SettingRow("play", "persona", PLAYING,
        "manner of play: full, softmax:-0.5, a file and so on; `sparring personas` lists them",
        without="even", metavar="TEXT", example='"teacher"', reloads=True),
    SettingRow("play", "personas", (*GAMES, "personas"),
        "folder of personas, searched before `sparring/personas` in the user's configuration and "
        "the bundled ones", metavar="DIR", example='"/srv/personas"'),
    SettingRow("play", "rules", ("gtp", "play", "serve"),
        "rules of Go: chinese (dead stones are taken off), japanese, tromp-taylor, aga and so on, "
        "or KataGo's JSON", without="chinese", metavar="NAME", example='"japanese"', reloads=True),
    SettingRow("play", "komi", ("gtp", "play", "serve"), "komi of Go",
        without="the usual one of the rules", metavar="POINTS", example="6.5", reloads=True),
    SettingRow("play", "visits", PLAYING,
        "visits of a move, for strengths without a number of their own",
        without="as many as the time allows", metavar="N", example="500", read=count,
        reloads=True),
    SettingRow("play", "seconds", PLAYING,
        "seconds of a move without a clock; with a number of visits the most",
        without="5", metavar="N", example="2.5", read=positive, reloads=True),

    SettingRow("opponents", "opponent", (*GAMES, "play"),
        "name of the opponent, under which the engine remembers their strength; none remembers "
        "nothing", without="player", metavar="NAME", example='"Ann"'),
    SettingRow("opponents", "store", STORING,
        "store of opponents: a file, an SQLAlchemy URL, or none",
        without="opponents.sqlite3 in the user's data folder", metavar="PLACE",
        example='"postgresql://sparring@db/opponents"', is_secret=True),

    SettingRow("listen", "socket", (*ENGINES, "doctor", "status"),
        "Unix socket of the running engine", without="sparring.sock in the user's runtime folder",
        metavar="PATH", example='"/run/sparring/sparring.sock"'),
    SettingRow("listen", "host", ("serve",), "address of the TCP ports", "127.0.0.1"),
    SettingRow("listen", "gtp_port", ("serve",), "TCP port for GTP",
        without="none", metavar="N", example="2601", read=port),
    SettingRow("listen", "websocket_port", ("serve",),
        "TCP port for the JSON analysis protocol over WebSocket (KaTrain: ws://HOST:N)",
        without="none", metavar="N", example="2600", read=port),
    SettingRow("listen", "allow_origin", ("serve",),
        "origin of a web page that may open the WebSocket; repeatable", (),
        without="none", metavar="URL", example='["https://example.org"]', repeats=True),
    SettingRow("listen", "allow_host", ("serve",),
        "another name of this machine for the WebSocket's address; repeatable", (),
        without="none", metavar="NAME", example='["go.example.org"]', repeats=True),
    SettingRow("listen", "token_file", ("serve",),
        "file with the token that TCP clients must send; required where other machines reach "
        "the host", without="$SPARRING_TOKEN", metavar="FILE", example='"/etc/sparring/token"'),

    SettingRow("listen", "certificate", ("serve",),
        "file of a certificate (PEM): the TCP ports speak TLS, and the WebSocket is wss",
        without="none", metavar="FILE", example='"/etc/sparring/certificate.pem"'),
    SettingRow("listen", "certificate_key", ("serve",), "file of the certificate's key",
        without="the certificate's file", metavar="FILE", example='"/etc/sparring/key.pem"'),

    SettingRow("limits", "sessions", ("serve",), "most conversations at once", SESSIONS,
        metavar="N", read=count),
    SettingRow("limits", "client_sessions", ("serve",),
        "most conversations at once of one TCP address", without="as many as in all",
        metavar="N", example="8", read=count, reloads=True),
    SettingRow("limits", "move_visits", ("serve",),
        "most visits of any search, whatever its client asks for", without="1000000",
        metavar="N", example="10000", read=count, reloads=True),
    SettingRow("limits", "move_seconds", ("serve",),
        "most seconds of any search, whatever its client asks for", without="no bound",
        metavar="N", example="60", read=positive, reloads=True),
    SettingRow("limits", "tree_megabytes", ("serve",),
        "memory of all search trees; at the limit they grow no more and go on",
        without="half of the machine's", metavar="N", example="8192", read=count, reloads=True),
    SettingRow("limits", "query_positions", ("serve",), "most positions of a query for analysis",
        QUERY_POSITIONS, metavar="N", read=count),
    SettingRow("limits", "idle_hours", ("serve",),
        "hours of silence after which a TCP connection is closed", IDLE_HOURS,
        metavar="N", read=positive, reloads=True),
    SettingRow("limits", "return_minutes", ("serve",),
        "minutes after its last change in which a lost GTP conversation may be gone on with",
        RETURN_MINUTES, metavar="N", read=positive),
    SettingRow("limits", "analysis_threads", ("analysis", "serve"),
        "positions searched at once, over all analysis clients",
        without="the processor's threads, 2 to 8", metavar="N", example="4", read=count,
        spellings=("-analysis-threads",)),

    SettingRow("log", "log_level", ("serve",), "least level of the log's lines", "info",
        choices=LEVELS, reloads=True),
    SettingRow("log", "log_format", ("serve",),
        "text for people, or json: one object a line", "text", choices=FORMATS),
    SettingRow("log", "log_to", ("serve",),
        "place of the log: stderr, journald (stderr with the journal's prefixes), or a file; auto "
        "is journald under systemd", "auto", metavar="PLACE"),
    SettingRow("log", "metrics_port", ("serve",),
        "port of this machine alone for Prometheus: http://127.0.0.1:N/metrics", without="none",
        metavar="N", example="9464", read=port),
)
# fmt: on
ROWS = {row.name: row for row in SETTINGS}


def rows_of(command: str) -> tuple[SettingRow, ...]:
    """Returns the settings of a subcommand."""
    return tuple(row for row in SETTINGS if command in row.commands)


def add_settings(parser: argparse.ArgumentParser, command: str) -> None:
    """Adds --config and an option of each of the command's settings, in groups by section."""
    rows = rows_of(command)
    if not rows:
        return
    parser.add_argument("--config", metavar="FILE", help=CONFIG_HELP)
    for section, title in SECTIONS.items():
        own = [row for row in rows if row.section == section and row.is_option]
        group = parser.add_argument_group(title) if own else parser
        for row in own:
            row.add_to(group)
