"""`sparring gtp`, `nboard`, `ugi`, `analysis`: joins a running engine, or holds one of its own.

Knows where the socket is, the greeting spoken on it, and how to carry bytes both ways. Does not
know the protocols it carries. Imports nothing heavy: a joined client must answer at once.

The greeting: the client's first line is {"protocol": "gtp" | ..., "options": {...}}, the server's
answer {"ok": true}, perhaps with "warnings": ["..."], or {"error": "..."}; after it the protocol's
own bytes flow. Each side ends what it sends by the byte EOT alone on a line. A client that closes
the connection instead abandons what is under way; a server that does so was stopped in the middle
of the conversation.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Callable

from engine.util.network_options import add_human_option
from protocols.cli.options import add_personas_option, add_store_option, add_terms_options
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
    "ugi": "othello (default), othello4, othello6, othello10, connect4, connect4-8x7 and so on",
}
PLAYING = ("gtp", "nboard", "ugi")  # the protocols in which it plays


def configure(parser: argparse.ArgumentParser) -> None:
    """Adds the options of `gtp` and its like, KataGo's spellings of them included."""
    parser.add_argument("--socket", metavar="PATH", help="where the running engine listens")
    parser.add_argument("--alone", action="store_true", help="hold an engine, join none")
    subcommand = parser.get_default("subcommand")
    if subcommand == "analysis":
        add_analysis_options(parser)
    if subcommand in {"analysis", "gtp"}:
        parser.add_argument(
            "--override-config",
            "-override-config",
            metavar="NAME=VALUE,...",
            help="settings by KataGo's names",
        )
    if help_of_game := GAME_HELP.get(subcommand):
        parser.add_argument("--game", metavar="NAME", help=help_of_game)
    if subcommand in PLAYING:
        parser.add_argument(
            "--persona",
            metavar="TEXT",
            help="how it plays: even (default), full, softmax:-0.5, a file's name and so on; "
            "`sparring personas` lists them",
        )
        add_personas_option(parser)
        parser.add_argument(
            "--opponent", metavar="NAME", help="whom it plays against, to remember them by"
        )
        add_human_option(parser)
        add_store_option(parser)
    if subcommand == "gtp":
        add_terms_options(parser)
        parser.add_argument(
            "--points",
            action="store_true",
            help="write moves of every game as points of a board of Go, as gogui-twogtp wants them",
        )
        parser.add_argument(
            "--as-katago",
            action="store_true",
            help="give KataGo's name and version, which Lizzie and LizzieYzy want to see before "
            "they show scores and ownership",
        )
    # KataGo's, so that its command lines work.
    parser.add_argument("-config", help=argparse.SUPPRESS)
    if subcommand not in PLAYING:
        parser.add_argument("-human-model", help=argparse.SUPPRESS)


def add_analysis_options(parser: argparse.ArgumentParser) -> None:
    """Adds the options of `analysis` alone."""
    parser.add_argument(
        "--analysis-threads",
        "-analysis-threads",
        type=int,
        metavar="N",
        help="positions searched at once, where no engine runs to be joined",
    )
    parser.add_argument(
        "--quit-without-waiting",
        "-quit-without-waiting",
        action="store_true",
        help="stop at the end of input instead of finishing",
    )


def wanted(options: argparse.Namespace) -> dict[str, object]:
    """The options that the server must know, as the greeting carries them."""
    asked: dict[str, object] = {
        name: value
        for name in TEXT_OPTIONS
        if (value := getattr(options, name, None)) not in {None, "auto"}
    }
    asked["folder"] = os.getcwd()  # noqa: PTH109 - pathlib is heavy
    for name in ("network", "human_network", "personas"):
        if name in asked:
            asked[name] = os.path.abspath(str(asked[name]))  # noqa: PTH100
    return asked | {name: True for name in FLAGS if getattr(options, name, False)}


def run(options: argparse.Namespace, _say: Callable[[str], None]) -> int:
    """Speaks the protocol that the subcommand names until its end."""
    for name in ("config", "human_model"):
        if getattr(options, name, None) is not None:
            sys.stderr.write(f"sparring: -{name.replace('_', '-')} is not used here\n")
    path = options.socket or socket_path()
    connection = None if options.alone else connect(path)
    if connection is None:
        return hold(options, f"no engine is running at {path}")
    try:
        after = greet(connection, options.subcommand, wanted(options))
        if getattr(options, "store", None) is not None:
            sys.stderr.write(
                f"sparring: the engine at {path} has its own --store; this one is not used\n"
            )
        pump(connection, after)
    except ServerBusyError as busy:
        connection.close()
        return hold(options, f"the engine at {path} is busy ({busy})")
    except LostError as error:
        sys.stderr.write(f"sparring: the engine at {path} {error}\n")
        return 1
    except ConnectionResetError:
        sys.stderr.write(f"sparring: the engine at {path} went away\n")
        return 1
    return 0


def hold(options: argparse.Namespace, reason: str) -> int:
    """Speaks the protocol with an engine held by this process itself, saying the reason."""
    if not options.alone:
        sys.stderr.write(
            f"sparring: {reason}, so this one loads its own network; "
            "`sparring serve` keeps one loaded for all\n"
        )
    from importlib import import_module  # noqa: PLC0415 - only here

    return int(
        import_module("protocols.server.standalone").run(options)
    )  # brings the whole engine in
