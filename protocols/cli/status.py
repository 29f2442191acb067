"""The subcommand `sparring status`: asks the running engine for its state and prints it."""

from __future__ import annotations

import argparse
import json
import socket
from collections.abc import Iterator, Sequence
from typing import Any

from engine.errors import UsageError
from protocols.cli.options import Say
from protocols.server.client import connect, socket_path

ANSWER_SECONDS = 10.0
MEBIBYTE = 2**20
HEADS = ("session", "protocol", "client", "game", "moves", "persona", "opponent", "since", "now")


def configure(parser: argparse.ArgumentParser) -> None:
    """Adds the options of `status` beside its settings."""
    parser.add_argument("--json", action="store_true", help="print one JSON object")


def run(options: argparse.Namespace, say: Say) -> int:
    """Prints the state; raises UsageError where no engine answers."""
    path = options.socket or socket_path()
    connection = connect(path)
    if connection is None:
        raise UsageError(f"no engine is running at {path}; `sparring serve` starts one")
    with connection:
        state = ask(connection)
    if options.json:
        say(json.dumps(state, indent=1, ensure_ascii=False))
        return 0
    for line in lines(state):
        say(line)
    return 0


def ask(connection: socket.socket) -> dict[str, Any]:
    """Returns the state of the engine; raises UsageError without a proper answer."""
    connection.settimeout(ANSWER_SECONDS)
    received = b""
    try:
        connection.sendall(b'{"protocol": "status"}\n')
        while data := connection.recv(65536):
            received += data
        state = json.loads(received)
    except (OSError, ValueError) as error:
        raise UsageError(f"the engine gave no proper answer: {error}") from error
    if not isinstance(state, dict) or "sessions" not in state:
        raise UsageError("the engine does not tell its state: is it of an older version?")
    return state


def lines(state: dict[str, Any]) -> Iterator[str]:
    """Yields the page: the engine, its networks, its sessions."""
    sessions = state["sessions"]
    yield f"Sparring {state['version']}, process {state['pid']}, up {span(state['uptime_seconds'])}"
    yield f"sessions  {len(sessions)} of {state['session_limit']}{refusals(state['refusals'])}"
    yield (
        f"work      {state['visits_per_second']:.0f} visits/s, "
        f"{state['evaluations_per_second']:.0f} evaluations/s in the last minute"
    )
    yield f"memory    {state['memory_bytes'] / MEBIBYTE:.0f} MiB"
    for protocol, quantiles in state["move_seconds"].items():
        texts = [
            f"{100 * float(share):g}% within {limit:g} s" for share, limit in quantiles.items()
        ]
        yield f"moves     {protocol}: {', '.join(texts)}"
    for each in state["networks"]:
        hits = 100 * each["cache_hits"] / max(1, each["cache_lookups"])
        yield (
            f"network   {each['file'] or each['name']} ({each['game']}, {each['backend']} "
            f"{each['precision']}), {each['users']} users, {each['evaluations']} evaluations, "
            f"{hits:.0f}% of lookups cached, {each['memory_bytes'] / MEBIBYTE:.0f} MiB"
            + (", replaced by a newer file" if each["is_replaced"] else "")
        )
    if sessions:
        yield ""
        yield from columns([HEADS, *map(row, sessions)])


def refusals(counts: dict[str, int]) -> str:
    """Returns the refused clients in words; empty without any."""
    texts = [f"{count} {protocol}" for protocol, count in counts.items()]
    return f", refused {', '.join(texts)}" if texts else ""


def row(session: dict[str, Any]) -> tuple[str, ...]:
    """Returns one session as cells of the table."""
    busy = session["busy_seconds"]
    return (
        *(session[name] for name in ("id", "protocol", "client", "game")),
        str(session["moves"]),
        *(session[name] or "-" for name in ("persona", "opponent")),
        span(session["seconds"]),
        "waits" if busy is None else f"thinks for {busy:g} s",
    )


def columns(rows: Sequence[Sequence[str]]) -> Iterator[str]:
    """Yields the rows with their cells in columns."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    for cells in rows:
        yield "  ".join(map(str.ljust, cells, widths)).rstrip()


def span(seconds: float) -> str:
    """Returns a time span in words.

    >>> span(59.4), span(3725), span(200_000)
    ('59 s', '1 h 2 min', '2 d 7 h')
    """
    units = (("d", 86400), ("h", 3600), ("min", 60), ("s", 1))
    left, words = int(seconds), list[str]()
    for name, size in units:
        if left >= size or (name == "s" and not words):
            words.append(f"{left // size} {name}")
            left %= size
    return " ".join(words[:2])
