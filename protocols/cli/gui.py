"""`sparring gtp` and the other protocols: joins the running engine, else opens its own.

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
from socket import socket

from protocols.server.analysis_memory import AnalysisMemory
from protocols.server.client import (
    FLAGS,
    NUMBERS,
    TEXT_OPTIONS,
    LostError,
    ServerBusyError,
    connect,
    greet,
    pump,
    socket_path,
)
from protocols.server.gtp_memory import GtpMemory
from protocols.server.position_memory import NBOARD, UCI, UGI, PositionMemory
from protocols.server.returning_client import Connect, Memory, ReturningClient

SERVERS_OWN = (
    "store",
    "chess_engine",
    "chess_tables",
    "chess_book",
)  # settings that a client does not send
GRAMMARS = {"nboard": NBOARD, "uci": UCI, "ugi": UGI}
GAME_HELP = {
    "gtp": "go (default), othello or connect4; set_game changes it",
    "terminal": "darkchess (4x8, default), darkchess2x4 or einstein",
    "ugi": "othello or othello8 (default), othello4, othello6, othello10, connect4, connect4-8x7 "
    "and so on",
}


def configure(parser: argparse.ArgumentParser) -> None:
    """Adds the options of one of these subcommands beside its settings, with KataGo's spellings."""
    add = parser.add_argument
    add("--alone", action="store_true", help="load an engine of its own and join none")
    subcommand = parser.get_default("subcommand")
    if subcommand == "analysis":
        add("--quit-without-waiting", "-quit-without-waiting", action="store_true",
            help="stop at the end of input; default: finish the queued analyses first")  # fmt: skip
    if subcommand in {"analysis", "gtp"}:
        add("--override-config", "-override-config", metavar="NAME=VALUE,...",
            help="settings by KataGo's names, as maxVisits=200")  # fmt: skip
    if help_of_game := GAME_HELP.get(subcommand):
        add("--game", metavar="NAME", help=help_of_game)
    if subcommand == "gtp":
        add("--points", action="store_true",
            help="write the moves of every game as points of a board of Go, for gogui-twogtp"
        )  # fmt: skip
        add("--as-katago", action="store_true",
            help="answer with KataGo's name and version: Lizzie and LizzieYzy need it to show "
            "scores and ownership")  # fmt: skip
    # KataGo's option, accepted without effect.
    add("-config", dest="katago_config", help=argparse.SUPPRESS)


def greeting_options(options: argparse.Namespace) -> dict[str, object]:
    """Returns the options that the greeting carries to the server."""
    sent: dict[str, object] = {
        name: value
        for name in TEXT_OPTIONS
        if (value := getattr(options, name, None)) not in {None, "auto"}
    }
    sent["folder"] = os.getcwd()  # noqa: PTH109 - pathlib is heavy
    sent |= {name: value for name in NUMBERS if (value := getattr(options, name, None)) is not None}
    for name in ("network", "human_network", "personas"):
        if name in sent:
            sent[name] = os.path.abspath(str(sent[name]))  # noqa: PTH100
    if options.subcommand == "gtp":
        sent["saved"] = True
    return sent | {name: True for name in FLAGS if getattr(options, name, False)}


def run(options: argparse.Namespace, _say: Callable[[str], None]) -> int:
    """Speaks the protocol of the subcommand until its end."""
    if options.katago_config is not None:
        sys.stderr.write("sparring: -config is not used here\n")
    path = options.socket or socket_path()
    connection = None if options.alone else connect(path)
    if connection is None:
        return run_alone(options, f"no engine is running at {path}")
    try:
        sent = greeting_options(options)
        after, session = greet(connection, options.subcommand, sent)
        for name in SERVERS_OWN:
            if options.sources.command_line.get(name) is not None:
                option = name.replace("_", "-")
                sys.stderr.write(
                    f"sparring: the engine at {path} has its own --{option}; this one is not used\n"
                )
        memory = memory_of(options.subcommand, session)
        if memory is None:
            pump(connection, after)
        else:
            again = sent if session is None else {**sent, "session": session}
            reconnect = returner(path, options.subcommand, again)
            ReturningClient(connection, memory, reconnect).run(after)
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


def memory_of(protocol: str, session: str | None) -> Memory | None:
    """Returns the memory of a conversation, to outlive its engine; None: it ends with the engine.

    session: the token of a saved conversation.
    """
    if protocol in GRAMMARS:
        return PositionMemory(GRAMMARS[protocol])
    if protocol == "analysis":
        return AnalysisMemory()
    return None if session is None else GtpMemory()


def returner(path: str, protocol: str, sent: dict[str, object]) -> Connect:
    """Returns a function that greets the engine again, once it is back."""

    def reconnect(more: dict[str, object]) -> tuple[socket, bytes]:
        connection = connect(path)
        if connection is None:
            raise LostError("no engine is running")
        return connection, greet(connection, protocol, {**sent, **more}).received

    return reconnect


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
