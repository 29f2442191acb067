"""The checks of the surroundings: the store of opponents, the running engine and TCP ports."""

from __future__ import annotations

import argparse
import os
import socket
from contextlib import closing
from pathlib import Path

from engine.errors import SettingError, UsageError
from engine.opponents import StoreError
from engine.opponents.store.place import StoreLocation
from protocols.cli.doctor.page import Problem, Section, path_text
from protocols.server.client import LostError, ServerBusyError, connect, greet, socket_path
from protocols.server.listeners import check_folder
from protocols.store_options import NOWHERE, named_place, opener, usual_place

BUSY_SECONDS = 2.0  # longest wait for another process at the store
ANSWER_SECONDS = 10.0  # longest wait for the greeting's answer
PORT_SECONDS = 1.0  # longest wait for a TCP connection


def store(options: argparse.Namespace) -> Section:
    """Returns the place of the store, its size and whether it opens; never a password."""
    place = named_place(options.store) or usual_place()
    rows = {"named by": options.sources.read()["store"].source or "the user's data folder"}
    if place == NOWHERE:
        return Section({**rows, "place": "none: nothing is kept when the process ends"})
    try:
        location = StoreLocation.named(place)
    except StoreError as error:
        return Section(rows, (Problem(str(error), "Name a file or an SQLAlchemy URL."),))
    file = location.file
    rows["place"] = str(location) if file is None else path_text(file)
    if file is not None and not file.exists():
        return Section({**rows, "state": "absent; made with the first game"}, no_folder(file))
    if file is not None and file.is_file():
        rows["size"] = f"{file.stat().st_size:,} bytes"
    try:
        with closing(opener(place, busy_seconds=BUSY_SECONDS)()) as opened:
            opponents = {each.opponent for each in opened.summaries()}
    except Exception as error:
        text = location.without_secrets(str(error))
        remedy = "Mend what the text names, or name another store by --store or $SPARRING_STORE."
        return Section({**rows, "state": "cannot be used"}, (Problem(text, remedy),))
    return Section({**rows, "state": f"opens; {len(opponents)} opponents"})


def no_folder(file: Path) -> tuple[Problem, ...]:
    """Returns the problem of an SQLite file whose folder cannot be made or written to."""
    there = next(place for place in file.absolute().parents if place.exists())
    if there.is_dir() and os.access(there, os.W_OK | os.X_OK):
        return ()
    text = f"{path_text(file)} cannot be made: {path_text(there)} is not writable"
    return (Problem(text, "Make the folder writable, or name another store by --store."),)


def engine(options: argparse.Namespace) -> Section:
    """Returns the socket of the running engine, and whether an engine answers on it."""
    path = Path(options.socket or socket_path())
    rows = {"socket": path_text(path)}
    if path.parent.exists():
        try:
            check_folder(path.parent)
        except (SettingError, OSError) as error:
            return Section(rows, (Problem(str(error), "Name a socket in a folder of your own."),))
    connection = connect(str(path))
    if connection is None:
        state = "a socket without an engine; the next `sparring serve` replaces it"
        return Section({**rows, "state": state if path.is_socket() else "no engine is running"})
    with connection:
        try:
            greet(connection, "analysis", {}, seconds=ANSWER_SECONDS)
        except ServerBusyError as busy:
            return Section({**rows, "state": f"an engine answers; it is busy: {busy}"})
        except (LostError, UsageError, OSError) as error:
            remedy = "Stop the program at the socket and start `sparring serve` anew."
            text = f"the program at {path_text(path)} {error}"
            return Section({**rows, "state": "no proper answer"}, (Problem(text, remedy),))
    return Section({**rows, "state": "an engine answers"})


def ports(options: argparse.Namespace) -> Section:
    """Returns whether a program listens at the TCP ports of GTP and of the WebSocket."""
    named = {"GTP": options.gtp_port, "WebSocket": options.websocket_port}
    return Section({f"{name} {port}": port_state(port) for name, port in named.items()})


def port_state(port: int) -> str:
    """Returns the state of a TCP port of this machine in words."""
    try:
        with socket.create_connection(("127.0.0.1", port), timeout=PORT_SECONDS):
            return "a program listens"
    except ConnectionRefusedError:
        return "free"
    except OSError as error:
        return f"no connection: {error}"
