"""`sparring gtp`, `nboard`, `ugi` and `analysis`: joins the running engine, else opens its own.

The import stays light: a client of a running engine answers at once. This module only carries the
bytes of a protocol.

The greeting on the socket: the client's first line is {"protocol": "gtp" | ..., "options": {...}}.
The server answers {"ok": true}, perhaps with "warnings": ["..."], or {"error": "..."}. Then the
bytes of the protocol flow. Each side ends its bytes with the byte EOT alone on a line. A client
that closes the connection before it abandons its searches; a server that closes it before has been
stopped.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Callable

from protocols.cli.network_options import add_human_option
from protocols.cli.options import add_game_settings_options, add_personas_option, add_store_option
from protocols.server.client import (
    FLAGS,
    TEXT_OPTIONS,
    LostError,
    ServerBusyError,
    connect,
    greet,
    pump,
    socket_path,
)

GAME_HELP = {
    "gtp": "go (default), othello or connect4; set_game changes it",
    "ugi": "othello or othello8 (default), othello4, othello6, othello10, connect4, connect4-8x7 "
    "and so on",
}
PLAYING = ("gtp", "nboard", "ugi")  # protocols of games; analysis plays none


def configure(parser: argparse.ArgumentParser) -> None:
    """Adds the options of one of these subcommands, with KataGo's spellings of them."""
    parser.add_argument(
        "--socket",
        metavar="PATH",
        help="Unix socket of the running engine; default: $SPARRING_SOCKET, else sparring.sock "
        "in the user's runtime folder",
    )
    parser.add_argument(
        "--alone", action="store_true", help="load an engine of its own and join none"
    )
    subcommand = parser.get_default("subcommand")
    if subcommand == "analysis":
        add_analysis_options(parser)
    if subcommand in {"analysis", "gtp"}:
        parser.add_argument(
            "--override-config",
            "-override-config",
            metavar="NAME=VALUE,...",
            help="settings by KataGo's names, as maxVisits=200",
        )
    if help_of_game := GAME_HELP.get(subcommand):
        parser.add_argument("--game", metavar="NAME", help=help_of_game)
    if subcommand in PLAYING:
        add_playing_options(parser)
    if subcommand == "gtp":
        add_gtp_options(parser)
    # KataGo's options, accepted without effect.
    parser.add_argument("-config", help=argparse.SUPPRESS)
    if subcommand not in PLAYING:
        parser.add_argument("-human-model", help=argparse.SUPPRESS)


def add_playing_options(parser: argparse.ArgumentParser) -> None:
    """Adds the options of the protocols of games."""
    parser.add_argument(
        "--persona",
        metavar="TEXT",
        help="manner of play: even (default), full, softmax:-0.5, a file and so on; "
        "`sparring personas` lists them",
    )
    add_personas_option(parser)
    parser.add_argument(
        "--opponent",
        metavar="NAME",
        help="name of the opponent, under which the engine remembers their strength; "
        "default: player; none remembers nothing",
    )
    add_human_option(parser)
    add_store_option(parser)


def add_gtp_options(parser: argparse.ArgumentParser) -> None:
    """Adds the options of `gtp` alone."""
    add_game_settings_options(parser)
    parser.add_argument(
        "--points",
        action="store_true",
        help="write the moves of every game as points of a board of Go, for gogui-twogtp",
    )
    parser.add_argument(
        "--as-katago",
        action="store_true",
        help="answer with KataGo's name and version: Lizzie and LizzieYzy need it to show scores "
        "and ownership",
    )


def add_analysis_options(parser: argparse.ArgumentParser) -> None:
    """Adds the options of `analysis` alone."""
    parser.add_argument(
        "--analysis-threads",
        "-analysis-threads",
        type=int,
        metavar="N",
        help="positions searched at once by an engine of its own; default: the processor's "
        "threads, 2 to 8",
    )
    parser.add_argument(
        "--quit-without-waiting",
        "-quit-without-waiting",
        action="store_true",
        help="stop at the end of input; default: finish the queued analyses first",
    )


def greeting_options(options: argparse.Namespace) -> dict[str, object]:
    """Returns the options that the greeting carries to the server."""
    sent: dict[str, object] = {
        name: value
        for name in TEXT_OPTIONS
        if (value := getattr(options, name, None)) not in {None, "auto"}
    }
    sent["folder"] = os.getcwd()  # noqa: PTH109 - pathlib is heavy
    for name in ("network", "human_network", "personas"):
        if name in sent:
            sent[name] = os.path.abspath(str(sent[name]))  # noqa: PTH100
    return sent | {name: True for name in FLAGS if getattr(options, name, False)}


def run(options: argparse.Namespace, _say: Callable[[str], None]) -> int:
    """Speaks the protocol of the subcommand until its end."""
    for name in ("config", "human_model"):
        if getattr(options, name, None) is not None:
            sys.stderr.write(f"sparring: -{name.replace('_', '-')} is not used here\n")
    path = options.socket or socket_path()
    connection = None if options.alone else connect(path)
    if connection is None:
        return run_alone(options, f"no engine is running at {path}")
    try:
        after = greet(connection, options.subcommand, greeting_options(options))
        if getattr(options, "store", None) is not None:
            sys.stderr.write(
                f"sparring: the engine at {path} has its own --store; this one is not used\n"
            )
        pump(connection, after)
    except ServerBusyError as busy:
        connection.close()
        return run_alone(options, f"the engine at {path} is busy ({busy})")
    except LostError as error:
        sys.stderr.write(f"sparring: the engine at {path} {error}\n")
        return 1
    except ConnectionResetError:
        sys.stderr.write(f"sparring: the engine at {path} went away\n")
        return 1
    return 0


def run_alone(options: argparse.Namespace, reason: str) -> int:
    """Speaks the protocol with an engine of this process; prints the reason to stderr."""
    if not options.alone:
        sys.stderr.write(
            f"sparring: {reason}, so this one loads its own network; "
            "`sparring serve` keeps one loaded for all\n"
        )
    from protocols.cli.local_engine_options import client_options, local_engine_options  # noqa: PLC0415 - heavy
    from protocols.server import standalone  # noqa: PLC0415 - heavy

    return standalone.run(local_engine_options(options), client_options(options))
