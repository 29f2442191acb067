"""A client of the running engine: finds the socket, greets the engine, carries bytes both ways."""

from __future__ import annotations

import json
import os
import socket
import struct
import sys
import threading
from typing import NamedTuple

from engine.errors import UsageError
from protocols.lines import END
from protocols.server import stdio

LONGEST_ANSWER = 2**20  # bytes; of a greeting
GREETING_SECONDS = 300.0  # a network named by the client may have to be loaded first
ROOT = 0
PEER = struct.Struct("3i")  # process, user and group of a Unix socket's other end
FLAGS = ("quit_without_waiting", "points", "as_katago", "saved")
NUMBERS = ("visits", "seconds")
TEXT_OPTIONS = (
    *("network", "backend", "precision", "folder", "override_config", "game"),
    *("persona", "personas", "opponent", "human_network", "rules", "komi"),
)


class LostError(Exception):
    """The running engine ended or fell silent in the middle of a conversation."""


class Greeted(NamedTuple):
    """The server's answer to a greeting. A NamedTuple, because importing dataclasses costs 7 ms."""

    received: bytes  # after the answer
    session: str | None  # the token of a saved conversation


class ServerBusyError(Exception):
    """The running engine has no free session; the text is its message."""


def socket_path() -> str:
    """Returns the path of the socket: $SPARRING_SOCKET, else one in the user's runtime folder.

    Without a runtime folder it is in private_folder().
    """
    if path := os.environ.get("SPARRING_SOCKET"):
        return path
    if folder := os.environ.get("XDG_RUNTIME_DIR"):
        return f"{folder}/sparring.sock"
    return f"{private_folder()}/sparring.sock"


def private_folder() -> str:
    """Returns the folder of the socket without a runtime folder; `serve` checks its rights."""
    return f"{os.environ.get('TMPDIR', '/tmp')}/sparring-{os.getuid()}"  # noqa: S108 - see above


def connect(path: str) -> socket.socket | None:
    """Returns a connection to this user's engine at `path`; None if there is none."""
    if not hasattr(socket, "AF_UNIX"):
        return None
    connection = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    try:
        connection.connect(path)
    except OSError:
        connection.close()
        return None
    # Somebody else's engine in a shared folder could read the user's games.
    if not is_trusted(connection):
        connection.close()
        return None
    return connection


def is_trusted(connection: socket.socket) -> bool:
    """Whether the other end of a Unix socket is a process of this user or of root."""
    if not hasattr(socket, "SO_PEERCRED"):
        return True  # not Linux: the folder's rights alone protect it
    peer = connection.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, PEER.size)
    _, user, _ = PEER.unpack(peer)
    return user in {ROOT, os.getuid()}


def greet(
    connection: socket.socket,
    protocol: str,
    options: dict[str, object],
    *,
    seconds: float | None = None,
) -> Greeted:
    """Asks the server for `protocol`, and returns its answer.

    seconds: longest wait for the answer; None: GREETING_SECONDS. Raises ServerBusyError where the
    server has no free session, UsageError where it refuses for another reason, and LostError where
    no proper answer comes.
    """
    request = json.dumps({"protocol": protocol, "options": options})
    patience = GREETING_SECONDS if seconds is None else seconds
    connection.settimeout(patience)
    connection.sendall(request.encode() + b"\n")
    received = b""
    while b"\n" not in received:
        try:
            data = connection.recv(stdio.CHUNK)
        except TimeoutError:
            raise LostError(f"gave no answer in {patience:g} seconds") from None
        if not data:
            raise LostError("closed the connection without an answer")
        received += data
        if len(received) > LONGEST_ANSWER:
            raise LostError("speaks something else")
    connection.settimeout(None)
    line, rest = received.split(b"\n", 1)
    try:
        answer = json.loads(line)
        refusal = answer.get("error")
        is_busy = answer.get("busy", False)
        warnings = list(answer.get("warnings", ()))
        session = answer.get("session")
    except (ValueError, AttributeError, TypeError, RecursionError):
        raise LostError("speaks something else") from None
    if is_busy:
        raise ServerBusyError(refusal)
    if refusal is not None:
        raise UsageError(f"the running engine refused: {refusal}")
    for warning in warnings:
        sys.stderr.write(f"sparring: {warning}\n")
    return Greeted(rest, session if isinstance(session, str) else None)


def pump(connection: socket.socket, received: bytes) -> None:
    """Carries bytes between `connection` and stdin and stdout until the conversation ends.

    received: bytes read already. Raises LostError if the server closes before its END.
    """
    ending = END.encode()

    def send() -> None:
        try:
            while data := stdio.read():
                connection.sendall(data)
            # A line of its own; a closed connection would abandon the answers.
            connection.sendall(f"\n{END}\n".encode())
        except OSError:
            pass  # the server closed first; the other direction raises the error

    threading.Thread(target=send, name="stdin", daemon=True).start()
    while ending not in received:
        stdio.write(received)
        received = connection.recv(stdio.CHUNK)
        if not received:
            raise LostError("ended in the middle of the conversation")
    stdio.write(received.partition(ending)[0])
