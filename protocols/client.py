"""`sparring gtp`, `nboard`, `ugi`, `analysis`: joins a running engine, or holds one of its own.

Knows where the socket is, the greeting spoken on it, and how to carry bytes both ways. Does not
know the protocols it carries. Imports nothing heavy: a joined client must answer at once.

The greeting: the client's first line is {"protocol": "gtp" | ..., "options": {...}}, the server's
answer {"ok": true} or {"error": "..."}; after it the protocol's own bytes flow. The end of input is
the byte EOT alone on a line; closing the connection abandons what is under way.
"""

from __future__ import annotations

import argparse
import json
import os
import socket
import sys
import threading
from collections.abc import Callable

from protocols import stdio
from protocols.cli import add_human_option, add_personas_option, add_store_option

GREETING_SECONDS = 300.0  # a network named by the client may have to be loaded first
END_OF_INPUT = "\x04"  # alone on a line; GTP ignores it, JSON cannot contain it
GAME_HELP = {
    "gtp": "go (default), othello or connect4; set_game changes it",
    "ugi": "othello (default), othello4, othello6, othello10, connect4, connect4-8x7 and so on",
}
PLAYING = ("gtp", "nboard", "ugi")  # the protocols in which it plays
FLAGS = ("quit_without_waiting", "points")
TEXT_OPTIONS = (
    *("network", "backend", "precision", "folder", "override_config", "game"),
    *("persona", "personas", "opponent", "human_network"),
)


class RefusedError(Exception):
    """The running engine answered, and said no; the text says why."""


def socket_path() -> str:
    """Where serve listens: $SPARRING_SOCKET, the user's runtime folder, or one under /tmp."""
    if path := os.environ.get("SPARRING_SOCKET"):
        return path
    if folder := os.environ.get("XDG_RUNTIME_DIR"):
        return f"{folder}/sparring.sock"
    return f"{os.environ.get('TMPDIR', '/tmp')}/sparring-{os.getuid()}/sparring.sock"  # noqa: S108 - the folder is private, see `connect`


def connect(path: str) -> socket.socket | None:
    """A connection to the engine listening at `path`; None when there is none."""
    if not hasattr(socket, "AF_UNIX"):
        return None
    try:
        # Somebody else's socket in a shared folder could read the user's games.
        if os.stat(path).st_uid not in {0, os.getuid()}:  # noqa: PTH116 - pathlib is heavy
            return None
    except OSError:
        return None
    connection = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    try:
        connection.connect(path)
    except OSError:
        connection.close()
        return None
    return connection


def greet(connection: socket.socket, protocol: str, options: dict[str, object]) -> bytes:
    """Asks for `protocol`; the bytes that came after the answer. Raises RefusedError."""
    request = json.dumps({"protocol": protocol, "options": options})
    connection.settimeout(GREETING_SECONDS)
    connection.sendall(request.encode() + b"\n")
    received = b""
    while b"\n" not in received:
        data = connection.recv(stdio.CHUNK)
        if not data:
            raise RefusedError("it closed the connection without an answer")
        received += data
    connection.settimeout(None)
    line, rest = received.split(b"\n", 1)
    answer = json.loads(line)
    if "error" in answer:
        raise RefusedError(answer["error"])
    return rest


def pump(connection: socket.socket) -> None:
    """Carries bytes between `connection` and stdin and stdout until the server closes."""

    def send() -> None:
        try:
            while data := stdio.read():
                connection.sendall(data)
            # A line of its own; closing would say that nobody waits for answers any more.
            connection.sendall(f"\n{END_OF_INPUT}\n".encode())
        except OSError:
            pass  # the server closed first; the other direction notices

    threading.Thread(target=send, name="stdin", daemon=True).start()
    while data := connection.recv(stdio.CHUNK):
        stdio.write(data)


def configure(parser: argparse.ArgumentParser) -> None:
    """Adds the options of `gtp` and its like, KataGo's spellings of them included."""
    parser.add_argument("--socket", metavar="PATH", help="where the running engine listens")
    parser.add_argument("--alone", action="store_true", help="hold an engine, join none")
    parser.add_argument(
        "--analysis-threads",
        "-analysis-threads",
        type=int,
        metavar="N",
        help="positions searched at once (analysis, where no engine runs to be joined)",
    )
    parser.add_argument(
        "--quit-without-waiting",
        "-quit-without-waiting",
        action="store_true",
        help="stop at the end of input instead of finishing (analysis)",
    )
    parser.add_argument(
        "--override-config",
        "-override-config",
        metavar="NAME=VALUE,...",
        help="settings of all queries, by KataGo's names (analysis)",
    )
    if help_of_game := GAME_HELP.get(parser.get_default("subcommand")):
        parser.add_argument("--game", metavar="NAME", help=help_of_game)
    if parser.get_default("subcommand") in PLAYING:
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
    if parser.get_default("subcommand") == "gtp":
        parser.add_argument(
            "--points",
            action="store_true",
            help="write moves of every game as points of a board of Go, as gogui-twogtp wants them",
        )
    # KataGo's, so that its command lines work.
    parser.add_argument("-config", help=argparse.SUPPRESS)
    if parser.get_default("subcommand") not in PLAYING:
        parser.add_argument("-human-model", help=argparse.SUPPRESS)


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
    if str(asked.get("persona")).endswith(".toml"):
        asked["persona"] = os.path.abspath(str(asked["persona"]))  # noqa: PTH100
    return asked | {name: True for name in FLAGS if getattr(options, name, False)}


def run(options: argparse.Namespace, _say: Callable[[str], None]) -> int:
    """Speaks the protocol that the subcommand names until its end."""
    for name in ("config", "human_model"):
        if getattr(options, name, None) is not None:
            sys.stderr.write(f"sparring: -{name.replace('_', '-')} is not used here\n")
    path = options.socket or socket_path()
    connection = None if options.alone else connect(path)
    if connection is None:
        return hold(options, path)
    if getattr(options, "store", None) is not None:
        sys.stderr.write(
            f"sparring: the engine at {path} has its own --store; this one is not used\n"
        )
    try:
        stdio.write(greet(connection, options.subcommand, wanted(options)))
        pump(connection)
    except RefusedError as refusal:
        sys.stderr.write(f"sparring: the engine at {path} refused: {refusal}\n")
        return 1
    except ConnectionError as error:
        sys.stderr.write(f"sparring: the engine at {path} went away: {error}\n")
        return 1
    return 0


def hold(options: argparse.Namespace, path: str) -> int:
    """Speaks the protocol with an engine held by this process itself."""
    if not options.alone:
        sys.stderr.write(
            f"sparring: no engine is running at {path}, so this one loads its own network; "
            "`sparring serve` keeps one loaded for all\n"
        )
    from importlib import import_module  # noqa: PLC0415 - only here

    return int(import_module("protocols.alone").run(options))  # brings the whole engine in
