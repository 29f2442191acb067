"""The standalone engine: one protocol on stdin and stdout, without a server.

`sparring gtp` and its like run it if they join no running engine.
"""

from __future__ import annotations

import logging
import sys
import threading
from concurrent.futures import ThreadPoolExecutor, wait
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path

from engine.errors import SettingError, UsageError
from engine.networks.runtime import BackendError
from protocols.conversation import ClientRequest, RefusedError, converse, folder_named
from protocols.inbox import Inbox
from protocols.lines import LineSplitter
from protocols.outbox import Outbox
from protocols.rights import Rights
from protocols.server import stdio
from protocols.server.local_engine import LocalEngine, LocalEngineOptions, open_local_engine

STOPPING_SECONDS = 0.5  # longest wait for an abandoned conversation to store its game


@dataclass(frozen=True)
class ClientOptions:
    """The options of the one client of this process, from the command line."""

    personas: str | None = None  # folder of more personas
    opponent: str = ""  # the opponent's name; empty: the user's usual one
    overrides: str = ""  # "name=value,name=value", by KataGo's names
    finish: bool = True  # whether queued analyses are finished at the end of input
    points: bool = False  # whether GTP writes moves as points of a board of Go
    as_katago: bool = False  # whether GTP answers with KataGo's name and version


def run(options: LocalEngineOptions, client: ClientOptions) -> int:
    """Speaks the protocol of the options until its end; raises UsageError if it cannot start."""
    stdio.claim()
    logging.basicConfig(format="%(name)s: %(message)s", level=logging.INFO, stream=sys.stderr)
    with ExitStack() as stack:
        try:
            engine = stack.enter_context(open_local_engine(options))
            request = request_of(options, client, engine)
        except (BackendError, SettingError, ValueError) as error:
            raise UsageError(f"cannot start: {error}") from error
        try:
            carry(engine, request)
        except RefusedError as error:
            raise UsageError(f"cannot start: {error}") from error
    return 0


def request_of(
    options: LocalEngineOptions, client: ClientOptions, engine: LocalEngine
) -> ClientRequest:
    """Returns the client's request; raises SettingError where its folder of personas is absent."""
    return ClientRequest(
        options.protocol,
        rights=Rights(is_user=True, folder=Path.cwd(), personas=folder_named(client.personas)),
        networks=engine.pool.defaults[engine.board.game],
        overrides=client.overrides,
        finish=client.finish,
        game=options.game,
        board=engine.board,
        points=client.points,
        as_katago=client.as_katago,
        opponent=client.opponent,
        defaults=engine.defaults,
    )


def carry(engine: LocalEngine, request: ClientRequest) -> None:
    """Serves stdin and stdout until the protocol ends. Raises RefusedError at the start."""
    room, work = threading.Event(), threading.Event()
    inbox, outbox = Inbox(on_room=room.set), Outbox(wake=work.set)
    reading = threading.Thread(target=receive, args=(request, inbox, room), daemon=True)
    reading.start()
    speaker = ThreadPoolExecutor(1)
    speaking = speaker.submit(converse, engine.pool, engine.protocols, request, inbox, outbox)
    speaker.shutdown(wait=False)
    speaking.add_done_callback(lambda _: outbox.close())
    try:
        send(outbox, work)
    except (BrokenPipeError, KeyboardInterrupt):
        inbox.abandon()
        outbox.close()
        wait([speaking], STOPPING_SECONDS)
        raise
    speaking.result()


def receive(request: ClientRequest, inbox: Inbox, room: threading.Event) -> None:
    """Fills `inbox` from stdin until its end, and pauses while the inbox is full."""
    splitter = LineSplitter()
    while data := stdio.read():
        room.clear()
        if not inbox.put(splitter.feed(data)):
            room.wait()
    inbox.put(splitter.finish())
    if request.finish:
        inbox.close()
    else:
        inbox.abandon()


def send(outbox: Outbox, work: threading.Event) -> None:
    """Empties `outbox` to stdout until it is closed."""
    while True:
        closed = outbox.closed
        if parts := outbox.take():
            stdio.write(b"".join(parts))
            outbox.sent(sum(map(len, parts)))
        elif closed:
            return
        else:
            work.wait()
            work.clear()
